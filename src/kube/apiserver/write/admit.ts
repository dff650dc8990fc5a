/** Runs the admission plugins that want to see a request: first all that may change it, then all that may refuse it. */
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Core } from '../core.ts';

/** Both answer with a promise only if a plugin does. */
export interface Admission {
  mutate(): void | Promise<void>;
  validate(): void | Promise<void>;
}

type About = Pick<AdmissionRequest, 'operation' | 'gvr' | 'subresource'>;

/** Undefined for most writes, which nobody wants to see: `make` is asked for the whole request only if somebody does. */
export function admission(core: Core, about: About, make: () => AdmissionRequest): Admission | undefined {
  const plugins = core.admission.filter((plugin) => plugin.handles(about));
  if (plugins.length === 0) return undefined;
  const request = make();
  return { mutate: () => each(plugins, 'mutate', request), validate: () => each(plugins, 'validate', request) };
}

function each(
  plugins: readonly AdmissionPlugin[],
  step: 'mutate' | 'validate',
  request: AdmissionRequest,
  from = 0,
): void | Promise<void> {
  for (let i = from; i < plugins.length; i++) {
    const done = plugins[i]?.[step]?.(request);
    if (done) return done.then(() => each(plugins, step, request, i + 1));
  }
}
