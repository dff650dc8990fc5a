/** Which webhook answers an operation for a kind; as karmada v1.18 customized/webhook. */
import type { ResourceInterpreterWebhook, ResourceInterpreterWebhookConfiguration } from '#karmada/apis/index.ts';
import type { Gvk } from '#kube/meta/gvk.ts';
import type { Operation } from '../resource-interpreter.ts';

export interface Hook {
  /** `configuration/webhook`: how messages name it, and the order in which hooks are looked through. */
  readonly uid: string;
  readonly webhook: ResourceInterpreterWebhook;
}

/** All hooks of all configurations, in the order in which the first that fits is taken. */
export function hooksOf(configurations: readonly ResourceInterpreterWebhookConfiguration[]): readonly Hook[] {
  return configurations
    .flatMap(({ metadata, webhooks }) =>
      webhooks.map((webhook) => ({ uid: `${metadata.name}/${webhook.name}`, webhook })),
    )
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

export function hookFor(hooks: readonly Hook[], kind: Gvk, operation: Operation): Hook | undefined {
  return hooks.find(({ webhook }) =>
    webhook.rules?.some(
      ({ operations, apiGroups, apiVersions, kinds }) =>
        includes(operations, operation) &&
        includes(apiGroups, kind.group) &&
        includes(apiVersions, kind.version) &&
        includes(kinds, kind.kind),
    ),
  );
}

function includes(wanted: readonly string[], name: string): boolean {
  return wanted.includes('*') || wanted.includes(name);
}
