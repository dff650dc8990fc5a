/** From an `Instance` to the community's `Karmada` and back; see `settings.ts` for what goes where. */
import { draftOf } from '#base/json.ts';
import { removeAt, setAt } from './at-path.ts';
import type { Instance, InstanceSpec, Settings } from './instance.ts';
import { INSTANCE_NAMESPACE } from './instance.ts';
import type { Karmada, KarmadaSpec } from './karmada.ts';
import { settings } from './settings.ts';

/** Names the instance a `Karmada` belongs to. */
export const INSTANCE_LABEL = 'kairship.io/instance';
/** Says who shall reconcile a `Karmada`: our own operator leaves those of others alone, and they ours. */
export const MODE_LABEL = 'kairship.io/mode';

export function karmadaOf(instance: Instance): Karmada {
  const { name } = instance.metadata;
  return {
    apiVersion: 'operator.karmada.io/v1alpha1',
    kind: 'Karmada',
    metadata: {
      name,
      namespace: INSTANCE_NAMESPACE,
      labels: { [INSTANCE_LABEL]: name, [MODE_LABEL]: instance.spec.mode },
    },
    spec: fitting(instance.spec),
  };
}

/** As whoever runs it can start it: a flag that a release of Karmada does not know keeps it from starting at all. */
function fitting(wanted: InstanceSpec): KarmadaSpec {
  const spec: Record<string, unknown> = draftOf(karmadaSpecOf(wanted));
  if (!evictsAtOnce(wanted)) return spec;
  removeAt(spec, ['components', 'karmadaControllerManager', 'extraArgs', 'failover-eviction-timeout']);
  // Without it the policy that failover needs would be refused (`failover-sync-controller.ts`).
  if (wanted.failover?.enabled === true)
    setAt(spec, ['components', 'karmadaWebhook', 'extraArgs', 'allow-no-execute-taint-policy'], 'true');
  return spec;
}

/** Karmada itself waits for no lost cluster since 1.14. */
export function evictsAtOnce({ mode, karmadaVersion = '' }: Pick<InstanceSpec, 'mode' | 'karmadaVersion'>): boolean {
  const [, minor] = /^v?1\.(\d+)\./.exec(karmadaVersion) ?? [];
  return mode === 'operator' && (minor === undefined || Number(minor) >= 14);
}

export function karmadaSpecOf(wanted: Settings): KarmadaSpec {
  const spec: Record<string, unknown> = draftOf(wanted.karmada ?? {});
  for (const [name, { put }] of Object.entries(settings)) {
    const value = wanted[name as keyof typeof settings];
    if (value !== undefined) (put as (spec: object, value: unknown) => void)(spec, value);
  }
  return spec;
}

export function settingsOf(spec: KarmadaSpec): Settings {
  const rest: Record<string, unknown> = draftOf(spec);
  const found: Record<string, unknown> = {};
  for (const [name, { take }] of Object.entries(settings)) {
    const value = take(rest);
    if (value !== undefined) found[name] = value;
  }
  return { ...found, ...(Object.keys(rest).length > 0 ? { karmada: rest } : {}) };
}
