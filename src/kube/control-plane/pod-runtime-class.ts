/**
 * What the RuntimeClass of a new pod says: what it costs beyond its containers, and which nodes can run it.
 *
 * Refused are pods whose class does not exist, and those that contradict it.
 */
import { type Draft, jsonEqual } from '#base/json.ts';
import { hasReason, type StatusError } from '#base/status-error.ts';
import type { Pod, RuntimeClass } from '#gen/kube/types.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import { forbidden } from '#kube/apiserver/failures.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

const CLASSES = { group: 'node.k8s.io', version: 'v1', resource: 'runtimeclasses' } as const;

type Spec = NonNullable<Draft<Pod>['spec']>;

export function podRuntimeClass(client: () => KubeClient): AdmissionPlugin {
  return {
    name: 'pod-runtime-class',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'CREATE' && gvr.group === '' && gvr.resource === 'pods' && subresource === undefined,
    mutate({ object, name }) {
      const spec = (object as Draft<Pod> | undefined)?.spec;
      if (!spec) return;
      if (spec.runtimeClassName) return named(client(), spec, spec.runtimeClassName, name);
      if (spec.overhead) throw unfounded(name);
    },
  };
}

async function named(client: KubeClient, spec: Spec, className: string, pod: string): Promise<void> {
  const found = await client.get<RuntimeClass>(CLASSES, { name: className }).catch((error: unknown) => {
    if (!hasReason(error, 'NotFound')) throw error;
    throw refused(pod, `pod rejected: RuntimeClass "${className}" not found`);
  });
  setOverhead(spec, found, pod);
  setScheduling(spec, found, pod);
}

function setOverhead(spec: Spec, { overhead }: RuntimeClass, pod: string): void {
  if (!overhead) {
    if (spec.overhead) throw unfounded(pod);
    return;
  }
  if (spec.overhead && !jsonEqual(spec.overhead, overhead.podFixed)) {
    throw refused(pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec.overhead = { ...overhead.podFixed };
}

function setScheduling(spec: Spec, { scheduling }: RuntimeClass, pod: string): void {
  const wanted = scheduling?.nodeSelector ?? {};
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    const other = wanted[key];
    if (other === undefined || other === value) continue;
    const both = `runtimeClass.scheduling.nodeSelector[${key}] = ${other}; pod.spec.nodeSelector[${key}] = ${value}`;
    throw refused(pod, `conflict: ${both}`);
  }
  if (Object.keys(wanted).length > 0) spec.nodeSelector = { ...wanted, ...spec.nodeSelector };
  const known = spec.tolerations ?? [];
  const more = (scheduling?.tolerations ?? []).filter((one) => !known.some((other) => jsonEqual(one, other)));
  if (more.length > 0) spec.tolerations = [...known, ...more.map((one) => ({ ...one }))];
}

const refused = (name: string, why: string): StatusError => forbidden({ group: '', resource: 'pods' }, name, why);

const unfounded = (name: string): StatusError =>
  refused(name, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
