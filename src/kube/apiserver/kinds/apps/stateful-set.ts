import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { forbidden, invalid } from '#kube/meta/field-error.ts';
import { dnsLabelProblems } from '#kube/meta/names.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { defaultClaim } from '../core/persistent-volume-claim.ts';
import { dnsLabel, intOrPercent, isZero, nonNegative, notMoreThan100Percent, oneOf } from '../checks.ts';
import { claimSpec } from '../core/claim-rules.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { podTemplate } from '../pod/pod-spec-rules.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { workloadScale } from './workload.ts';
import { isReadable, lastingPods, matchingLabels, replicaCounts, requiredSelector } from './workload-rules.ts';

const COUNTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

export const statefulSets: ResourceDefinition = kind<StatefulSet>(
  { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  {
    shortNames: ['sts'],
    categories: ['all'],
    generation: 'spec',
    scale: workloadScale,
    name: dnsLabelProblems,
    defaults: defaultStatefulSet,
    validate: statefulSetRules,
    warnings: ({ spec }) => templateWarnings(spec?.template, 'spec.template'),
    validateUpdate: statefulSetUpdate,
    create: (set) => dropDisabled(set),
    update: dropDisabled,
    validateStatus: ({ status = {} }) => replicaCounts(status, COUNTS, 'status.readyReplicas'),
    columns: [
      nameColumn,
      column<StatefulSet>(
        'Ready',
        'Replicas that are ready, of those wanted.',
        ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ),
      ageColumn,
      ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers),
    ],
  },
);

/** Off by default in Kubernetes: kept only where it is already. */
function dropDisabled({ spec }: Making<StatefulSet>, old?: Given<StatefulSet>): void {
  if (old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return;
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

function defaultStatefulSet(set: Making<StatefulSet>): void {
  const spec = (set.spec ??= {});
  spec.podManagementPolicy ||= 'OrderedReady';
  defaultUpdateStrategy((spec.updateStrategy ??= {}));
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  defaultPodTemplate((spec.template ??= {}));
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // Claims made from a template carry their type, as a claim that stands alone does.
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    defaultClaim(claim);
    claim.status = { phase: 'Pending' };
  }
}

type UpdateStrategy = NonNullable<NonNullable<Making<StatefulSet>['spec']>['updateStrategy']>;

function defaultUpdateStrategy(strategy: UpdateStrategy): void {
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type !== 'RollingUpdate' || !strategy.rollingUpdate) return;
  strategy.rollingUpdate.partition ??= 0;
}

function statefulSetRules(set: Given<StatefulSet>): Errors {
  return specRules(set, true);
}

/** Claims and the name of the service are looked at only while the set is `fresh`: they cannot change. */
function* specRules({ spec = {} }: Given<StatefulSet>, fresh: boolean): Errors {
  const policy = spec.podManagementPolicy;
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    yield invalid('spec.podManagementPolicy', policy ?? '', "must be 'OrderedReady' or 'Parallel'");
  }
  yield* strategyRules(spec.updateStrategy ?? {});
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    yield* oneOf(retention?.[field], ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`);
  }
  for (const [at, claim] of (fresh ? (spec.volumeClaimTemplates ?? []) : []).entries()) {
    yield* claimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${at}].spec`);
  }
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.ordinals?.start, 'spec.ordinals.start');
  if (fresh && spec.serviceName) yield* dnsLabel(spec.serviceName, 'spec.serviceName');
  yield* requiredSelector(spec.selector, 'statefulset');
  if (isReadable(spec.selector)) {
    yield* matchingLabels(spec.selector, spec.template);
    yield* podTemplate(withClaims(spec), 'spec.template');
  } else yield invalid('spec.selector', spec.selector, '');
  yield* lastingPods(spec.template, 'spec.template', 'StatefulSet');
}

function* strategyRules(strategy: Given<StatefulSetUpdateStrategy>): Errors {
  const path = 'spec.updateStrategy.rollingUpdate';
  if (strategy.type === 'OnDelete') {
    if (strategy.rollingUpdate) {
      yield invalid(path, strategy.rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (strategy.type === 'RollingUpdate') {
    const { partition, maxUnavailable } = strategy.rollingUpdate ?? {};
    yield* nonNegative(partition, `${path}.partition`);
    if (maxUnavailable === undefined) return;
    yield* intOrPercent(maxUnavailable, `${path}.maxUnavailable`);
    if (isZero(maxUnavailable)) yield invalid(`${path}.maxUnavailable`, maxUnavailable, 'cannot be 0');
    yield* notMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`);
  } else yield invalid('spec.updateStrategy', strategy, "must be 'RollingUpdate' or 'OnDelete'");
}

/** Each pod gets a volume of its own for every claim, by the claim's name: mounts may count on it. */
function withClaims(spec: Given<StatefulSetSpec>): Given<StatefulSetSpec>['template'] {
  const names = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name);
  const own = (spec.template?.spec?.volumes ?? []).filter(({ name }) => !names.includes(name));
  const claims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec.template, spec: { ...spec.template?.spec, volumes: [...claims, ...own] } };
}

const UPDATABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function* statefulSetUpdate(set: Given<StatefulSet>, old: Given<StatefulSet>): Errors {
  yield* specRules(set, false);
  const kept = Object.fromEntries(UPDATABLE.map((field) => [field, old.spec?.[field]]));
  if (jsonEqual({ ...set.spec, ...kept }, old.spec)) return;
  const fields = UPDATABLE.map((field) => `'${field}'`);
  const list = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  yield forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`);
}
