import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '#gen/kube/types.ts';
import type { Column, ResourceDefinition } from '#kube/apiserver/resource.ts';
import { duplicate, invalid, required } from '#kube/meta/field-error.ts';
import { dnsSubdomainProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { labelSelector, oneOf } from '../checks.ts';
import { type Errors, type Given, kind, type KindRules, type Making } from '../kind.ts';
import { reviewVersions, webhookClient } from '../webhook-client.ts';
import { matchRule } from './rule-rules.ts';

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
    validate: mutatingRules,
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
  {
    ...shared,
    validate: ({ webhooks }) => webhookRules(webhooks ?? []),
    defaults: ({ webhooks }) => webhooks?.forEach(defaultWebhook),
  },
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

type GivenWebhook = NonNullable<Given<ValidatingWebhookConfiguration>['webhooks']>[number];

function* mutatingRules({ webhooks = [] }: Given<MutatingWebhookConfiguration>): Errors {
  yield* webhookRules(webhooks);
  for (const [at, { reinvocationPolicy }] of webhooks.entries()) {
    yield* oneOf(reinvocationPolicy, ['IfNeeded', 'Never'], `webhooks[${at}].reinvocationPolicy`);
  }
}

function* webhookRules(webhooks: readonly GivenWebhook[]): Errors {
  const names = webhooks.map(({ name }) => name);
  for (const [at, webhook] of webhooks.entries()) {
    const path = `webhooks[${at}]`;
    yield* webhookRule(webhook, path);
    yield* reviewVersions(webhook.admissionReviewVersions ?? [], ['v1', 'v1beta1'], `${path}.admissionReviewVersions`);
    if (webhook.name && names.indexOf(webhook.name) < at) yield duplicate(`${path}.name`, webhook.name);
  }
}

const HARMLESS = ['None', 'NoneOnDryRun'];

function* webhookRule(webhook: GivenWebhook, path: string): Errors {
  yield* qualifiedName(webhook.name ?? '', `${path}.name`);
  for (const [at, rule] of (webhook.rules ?? []).entries()) yield* matchRule(rule, `${path}.rules[${at}]`);
  yield* oneOf(webhook.failurePolicy, ['Fail', 'Ignore'], `${path}.failurePolicy`);
  yield* oneOf(webhook.matchPolicy, ['Equivalent', 'Exact'], `${path}.matchPolicy`);
  if (!webhook.sideEffects) yield required(`${path}.sideEffects`, `must specify one of ${HARMLESS.join(', ')}`);
  else yield* oneOf(webhook.sideEffects, HARMLESS, `${path}.sideEffects`);
  const seconds = webhook.timeoutSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > 30)) {
    yield invalid(`${path}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds');
  }
  yield* labelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`);
  yield* labelSelector(webhook.objectSelector, `${path}.objectSelector`);
  yield* webhookClient(webhook.clientConfig ?? {}, `${path}.clientConfig`);
}

/** A name of at least three parts, so that no two organisations have the same. */
function* qualifiedName(name: string, path: string): Errors {
  if (name === '') return yield required(path);
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) yield invalid(path, name, problems.join(','));
  else if (name.split('.').length < 3) {
    yield invalid(path, name, 'should be a domain with at least three segments separated by dots');
  }
}
