/** Schemas of what teaches the engine other kinds. */
import { RESOURCE_INTERPRETER_CUSTOMIZATION, RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION } from '../resources.ts';
import { AGE, column } from '#kube/crds/definition.ts';
import { definition } from './definition.ts';
import { having, int32, list, object, string } from '#kube/crds/schema.ts';
import { names } from './shared.ts';

const script = (description: string) => object({ luaScript: string('The Lua source.') }, ['luaScript'], description);

export const resourceInterpreterCustomizationCrd = definition({
  names: RESOURCE_INTERPRETER_CUSTOMIZATION,
  scope: 'Cluster',
  shortName: 'ric',
  description: 'Teaches the engine a kind by Lua scripts.',
  properties: {
    spec: object(
      {
        target: object({ apiVersion: string(), kind: string() }, ['apiVersion', 'kind'], 'The kind.'),
        customizations: object(
          {
            retention: script('Retain(desired, observed): what stays as the member has it.'),
            replicaResource: script('GetReplicas(object): how many replicas, and what each needs.'),
            componentResource: script('GetComponents(object): the pod templates, when there are several.'),
            replicaRevision: script('ReviseReplica(object, replicas): the object with another number of replicas.'),
            statusReflection: script('ReflectStatus(object): what of the status is sent up.'),
            statusAggregation: script('AggregateStatus(object, items): one status of all members.'),
            healthInterpretation: script('InterpretHealth(object): whether it is healthy.'),
            dependencyInterpretation: script('GetDependencies(object): what else it needs.'),
          },
          [],
          'A script for each operation to be customised.',
        ),
      },
      ['customizations', 'target'],
    ),
  },
  columns: [column('TARGET-API-VERSION', '.spec.target.apiVersion'), column('TARGET-KIND', '.spec.target.kind'), AGE],
  hasStatus: false,
});

const service = object(
  { name: string(), namespace: string(), path: string(), port: int32() },
  ['name', 'namespace'],
  'A service of the control plane.',
);

const webhook = object(
  {
    name: string(),
    clientConfig: object(
      { url: string(), service, caBundle: having(string('PEM, in base64.'), { format: 'byte' }) },
      [],
      'Where to ask: a url or a service.',
    ),
    rules: list(
      object({ operations: names(), apiGroups: names(), apiVersions: names(), kinds: names() }, [
        'apiGroups',
        'apiVersions',
        'kinds',
        'operations',
      ]),
      'What to ask it about.',
    ),
    timeoutSeconds: int32('How long to wait for an answer; 10 when absent.'),
    interpreterContextVersions: names('The versions of the question it understands.'),
  },
  ['clientConfig', 'interpreterContextVersions', 'name'],
);

export const resourceInterpreterWebhookConfigurationCrd = definition({
  names: RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION,
  scope: 'Cluster',
  description: 'Teaches the engine kinds by a webhook.',
  properties: { webhooks: list(webhook) },
  required: ['webhooks'],
  hasStatus: false,
});
