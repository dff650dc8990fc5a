/** Policies as the published API tells of them. */
import { isObject } from '#base/json.ts';
import type { AnyOverridePolicy } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** The values of plain-text overriders may be anything; the API has them as the bytes of their JSON. */
export function withRawValues(policy: AnyOverridePolicy): KubeObject {
  const overrideRules = policy.spec.overrideRules?.map((rule) => ({
    ...rule,
    overriders: {
      ...rule.overriders,
      plaintext: rule.overriders.plaintext?.map((one) => (isObject(one) ? { ...one, value: raw(one.value) } : one)),
    },
  }));
  return { ...policy, spec: { ...policy.spec, overrideRules } };
}

function raw(value: unknown): { readonly raw: string } | undefined {
  return value === undefined ? undefined : { raw: Buffer.from(JSON.stringify(value)).toString('base64') };
}
