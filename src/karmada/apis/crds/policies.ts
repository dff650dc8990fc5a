/** Schemas of the policies: what to propagate, where, and how it differs there. */
import {
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_TAINT_POLICY,
  FEDERATED_RESOURCE_QUOTA,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
} from '../resources.ts';
import { AGE, column } from '#kube/crds/definition.ts';
import { definition } from './definition.ts';
import {
  anyValue,
  boolean,
  type CrdSchema,
  having,
  int32,
  list,
  map,
  object,
  oneOf,
  string,
} from '#kube/crds/schema.ts';
import { clusterAffinity, failover, names, placement, resourceList, resourceSelector, suspension } from './shared.ts';

const propagationSpec = object(
  {
    resourceSelectors: having(list(resourceSelector, 'The templates to propagate.'), { minItems: 1 }),
    association: boolean('The former name of propagateDeps.'),
    propagateDeps: boolean('Also propagate what the template refers to: ConfigMaps, Secrets, claims, accounts.'),
    placement,
    priority: having(int32('Of several policies that select a template, the highest priority wins.'), { default: 0 }),
    preemption: having(oneOf(['Always', 'Never'], 'Whether to take templates from a policy of lower priority.'), {
      default: 'Never',
    }),
    dependentOverrides: names('Override policies that must exist before anything is propagated.'),
    schedulerName: having(string('Who decides where it runs.'), { default: 'default-scheduler' }),
    failover,
    conflictResolution: having(
      oneOf(['Abort', 'Overwrite'], 'What to do with an object of the same name that is already in a cluster.'),
      { default: 'Abort' },
    ),
    activationPreference: oneOf(['Lazy'], 'Lazy: a change of the policy waits for the next change of the template.'),
    suspension,
    preserveResourcesOnDeletion: boolean('Leave the objects in the clusters when the template is deleted.'),
    schedulePriority: object(
      { priorityClassSource: oneOf(['KubePriorityClass']), priorityClassName: string() },
      ['priorityClassName', 'priorityClassSource'],
      'Who is scheduled first.',
    ),
  },
  ['resourceSelectors'],
  'What to propagate, and where.',
);

const policyColumns = [
  column('CONFLICT-RESOLUTION', '.spec.conflictResolution'),
  column('PRIORITY', '.spec.priority'),
  AGE,
];

export const propagationPolicyCrd = definition({
  names: PROPAGATION_POLICY,
  scope: 'Namespaced',
  shortName: 'pp',
  description: 'Propagates templates of its own namespace to clusters.',
  properties: { spec: propagationSpec },
  columns: policyColumns,
  hasStatus: false,
});

export const clusterPropagationPolicyCrd = definition({
  names: CLUSTER_PROPAGATION_POLICY,
  scope: 'Cluster',
  shortName: 'cpp',
  description: 'Propagates templates of any namespace, and those without one, to clusters.',
  properties: { spec: propagationSpec },
  columns: policyColumns,
  hasStatus: false,
});

const operator = (...values: readonly string[]) => oneOf(values);

const patchOperation = (path: string) =>
  object({ [path]: string('A JSON pointer.'), operator: operator('add', 'remove', 'replace'), value: anyValue() }, [
    'operator',
    path,
  ]);

const commandOverrider = (description: string) =>
  list(
    object({ containerName: string(), operator: operator('add', 'remove'), value: names() }, [
      'containerName',
      'operator',
    ]),
    description,
  );

const metadataOverrider = (description: string) =>
  list(
    object({ operator: operator('add', 'remove', 'replace'), value: map(string()) }, ['operator', 'value']),
    description,
  );

const overriders: CrdSchema = object(
  {
    imageOverrider: list(
      object(
        {
          predicate: object({ path: string('A JSON pointer to the image.') }, ['path'], 'Which image; absent: all.'),
          component: oneOf(['Registry', 'Repository', 'Tag'], 'Which part of the image; Tag covers a digest too.'),
          operator: operator('add', 'remove', 'replace'),
          value: string(),
        },
        ['component', 'operator'],
      ),
      'Changes images of containers.',
    ),
    commandOverrider: commandOverrider('Changes the command of a container.'),
    argsOverrider: commandOverrider('Changes the arguments of a container.'),
    labelsOverrider: metadataOverrider('Changes labels.'),
    annotationsOverrider: metadataOverrider('Changes annotations.'),
    fieldOverrider: list(
      object(
        {
          fieldPath: string('A JSON pointer to a field that holds a document as text.'),
          json: list(patchOperation('subPath'), 'Changes within a JSON document.'),
          yaml: list(patchOperation('subPath'), 'Changes within a YAML document.'),
        },
        ['fieldPath'],
      ),
      'Changes within documents that a field holds, as in a ConfigMap.',
    ),
    plaintext: list(patchOperation('path'), 'Changes any field.'),
  },
  [],
  'The changes; images first, then command, arguments, labels, annotations, documents and any other field.',
);

const overrideSpec = object(
  {
    resourceSelectors: list(resourceSelector, 'The objects to change; all when absent.'),
    overrideRules: list(
      object({ targetCluster: clusterAffinity('Where; everywhere when absent.'), overriders }, ['overriders']),
      'Changes by cluster, applied in the order listed.',
    ),
    targetCluster: clusterAffinity('Deprecated: use overrideRules.'),
    overriders,
  },
  [],
  'What to change, and where.',
);

export const overridePolicyCrd = definition({
  names: OVERRIDE_POLICY,
  scope: 'Namespaced',
  shortName: 'op',
  description: 'Changes objects of its own namespace on their way to some clusters.',
  properties: { spec: overrideSpec },
  hasStatus: false,
});

export const clusterOverridePolicyCrd = definition({
  names: CLUSTER_OVERRIDE_POLICY,
  scope: 'Cluster',
  shortName: 'cop',
  description: 'Changes objects of any namespace on their way to some clusters; before the override policies do.',
  properties: { spec: overrideSpec },
  hasStatus: false,
});

export const federatedResourceQuotaCrd = definition({
  names: FEDERATED_RESOURCE_QUOTA,
  scope: 'Namespaced',
  description: 'A quota of a namespace over all clusters.',
  properties: {
    spec: object(
      {
        overall: resourceList('The limits over all clusters.'),
        staticAssignments: list(
          object({ clusterName: string(), hard: resourceList() }, ['clusterName', 'hard']),
          'Limits of single clusters, made ResourceQuotas there.',
        ),
      },
      ['overall'],
    ),
    status: object({
      overall: resourceList(),
      overallUsed: resourceList(),
      aggregatedStatus: list(
        object({ clusterName: string(), hard: resourceList(), used: resourceList() }, ['clusterName']),
      ),
    }),
  },
  columns: [column('OVERALL', '.status.overall'), column('OVERALL_USED', '.status.overallUsed')],
  hasStatus: true,
});

const conditionMatch = object(
  { conditionType: string(), operator: string('In or NotIn.'), statusValues: names('True, False, Unknown.') },
  ['conditionType', 'operator', 'statusValues'],
);

export const clusterTaintPolicyCrd = definition({
  names: CLUSTER_TAINT_POLICY,
  scope: 'Cluster',
  category: undefined,
  description: 'Taints clusters by their conditions.',
  properties: {
    spec: object(
      {
        targetClusters: clusterAffinity('The clusters it watches; all when absent.'),
        addOnConditions: list(conditionMatch, 'The taints are added when all of these hold; never when empty.'),
        removeOnConditions: list(conditionMatch, 'The taints are removed when all of these hold; never when empty.'),
        taints: having(list(object({ key: string(), value: string(), effect: string() }, ['effect', 'key'])), {
          minItems: 1,
        }),
      },
      ['taints'],
    ),
  },
  hasStatus: false,
});
