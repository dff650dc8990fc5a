/** Runs the admission plugins that want to see a request: first all that may change it, then all that may refuse it. */
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Core } from '../core.ts';

export interface Admission {
  mutate(): Promise<void>;
  validate(): Promise<void>;
}

export function admission(core: Core, request: AdmissionRequest): Admission {
  const plugins = core.admission.filter((plugin) => plugin.handles(request));
  return { mutate: () => each(plugins, 'mutate', request), validate: () => each(plugins, 'validate', request) };
}

async function each(
  plugins: readonly AdmissionPlugin[],
  step: 'mutate' | 'validate',
  request: AdmissionRequest,
): Promise<void> {
  for (const plugin of plugins) await plugin[step]?.(request);
}
