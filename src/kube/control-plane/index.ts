/** A Kubernetes control plane. Start at {@link controlPlane}. */
export { controlPlane, type ControlPlaneOptions } from './control-plane.ts';
