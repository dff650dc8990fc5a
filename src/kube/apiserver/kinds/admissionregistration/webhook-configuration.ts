import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '#gen/kube/types.ts';
import type { Column, ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind, type KindRules, type Making } from '../kind.ts';

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' } as const;
const HTTPS_PORT = 443;

const columns: readonly Column[] = [
  nameColumn,
  column<MutatingWebhookConfiguration>(
    'Webhooks',
    'How many webhooks it has.',
    ({ webhooks }) => (webhooks ?? []).length,
    {
      type: 'integer',
    },
  ),
  ageColumn,
];

const shared = {
  categories: ['api-extensions'],
  generation: 'spec',
  unconditionalUpdate: false,
  columns,
} as const satisfies KindRules<MutatingWebhookConfiguration>;

export const mutatingWebhookConfigurations: ResourceDefinition = kind<MutatingWebhookConfiguration>(
  { ...GROUP, kind: 'MutatingWebhookConfiguration' },
  {
    ...shared,
    defaults: ({ webhooks }) => {
      for (const webhook of webhooks ?? []) {
        defaultWebhook(webhook);
        webhook.reinvocationPolicy ??= 'Never';
      }
    },
  },
);

export const validatingWebhookConfigurations: ResourceDefinition = kind<ValidatingWebhookConfiguration>(
  { ...GROUP, kind: 'ValidatingWebhookConfiguration' },
  { ...shared, defaults: ({ webhooks }) => webhooks?.forEach(defaultWebhook) },
);

type Webhook = NonNullable<Making<ValidatingWebhookConfiguration>['webhooks']>[number];

function defaultWebhook(webhook: Webhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= HTTPS_PORT;
}
