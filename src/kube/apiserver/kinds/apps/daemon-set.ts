import type { DaemonSet, DaemonSetUpdateStrategy } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { formatLabels } from '#kube/meta/label-selector.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { immutable, intOrPercent, isZero, labelSelector, nonNegative, notMoreThan100Percent } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { selectorColumn } from './workload.ts';
import { lastingTemplate, matchingLabels, notEmpty } from './workload-rules.ts';

const integer = { type: 'integer' } as const;

export const daemonSets: ResourceDefinition = kind<DaemonSet>(
  { group: 'apps', version: 'v1', kind: 'DaemonSet' },
  {
    shortNames: ['ds'],
    categories: ['all'],
    generation: 'spec',
    defaults: defaultDaemonSet,
    validate: daemonSetRules,
    warnings: ({ spec }) => templateWarnings(spec?.template, 'spec.template'),
    validateUpdate: daemonSetUpdate,
    validateStatus: daemonSetStatus,
    create: (set) => setTemplateGeneration(set, templateGeneration(set)),
    update: (set, old) => {
      const changed = !jsonEqual(set.spec?.template, old.spec?.template);
      setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0));
    },
    columns: [
      nameColumn,
      column<DaemonSet>(
        'Desired',
        'Nodes it wants to be on.',
        ({ status }) => status?.desiredNumberScheduled ?? 0,
        integer,
      ),
      column<DaemonSet>('Current', 'Nodes it is on.', ({ status }) => status?.currentNumberScheduled ?? 0, integer),
      column<DaemonSet>('Ready', 'Nodes where it is ready.', ({ status }) => status?.numberReady ?? 0, integer),
      column<DaemonSet>(
        'Up-to-date',
        'Nodes with the newest template.',
        ({ status }) => status?.updatedNumberScheduled ?? 0,
        integer,
      ),
      column<DaemonSet>(
        'Available',
        'Nodes where it is available.',
        ({ status }) => status?.numberAvailable ?? 0,
        integer,
      ),
      column<DaemonSet>('Node Selector', 'The labels of the nodes it wants.', ({ spec }) =>
        formatLabels(spec?.template?.spec?.nodeSelector as Record<string, string> | undefined),
      ),
      ageColumn,
      ...containerColumns<DaemonSet>(({ spec }) => spec?.template?.spec?.containers),
      selectorColumn(),
    ],
  },
);

function defaultDaemonSet(set: Making<DaemonSet>): void {
  const { metadata } = set;
  // Whoever writes a set also writes this, whether they know or not.
  if (metadata) metadata.annotations = { [TEMPLATE_GENERATION]: '0', ...metadata.annotations };
  const spec = (set.spec ??= {});
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  defaultPodTemplate((spec.template ??= {}));
}

/** Kept from the days when the template had a generation of its own; old clients compare it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setTemplateGeneration({ metadata }: Making<DaemonSet>, generation: number): void {
  if (metadata) metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function templateGeneration({ metadata }: Given<DaemonSet>): number {
  return Math.max(1, Number(metadata?.annotations?.[TEMPLATE_GENERATION]) || 1);
}

function* daemonSetRules({ spec = {} }: Given<DaemonSet>): Errors {
  yield* labelSelector(spec.selector, 'spec.selector');
  yield* matchingLabels(spec.selector, spec.template);
  yield* notEmpty(spec.selector, 'daemonset');
  yield* lastingTemplate(spec.template, 'DaemonSet');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* strategyRules(spec.updateStrategy ?? {});
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

function* strategyRules(strategy: Given<DaemonSetUpdateStrategy>): Errors {
  const path = 'spec.updateStrategy.rollingUpdate';
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    return yield notSupported('spec.updateStrategy', strategy, ['RollingUpdate', 'OnDelete']);
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
  yield* intOrPercent(maxUnavailable, `${path}.maxUnavailable`);
  yield* intOrPercent(maxSurge, `${path}.maxSurge`);
  yield* notMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`);
  yield* notMoreThan100Percent(maxSurge, `${path}.maxSurge`);
  if (!isZero(maxUnavailable) && !isZero(maxSurge)) {
    yield invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    yield required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  }
}

function* daemonSetUpdate(set: Given<DaemonSet>, old: Given<DaemonSet>): Errors {
  yield* immutable(set.spec?.selector, old.spec?.selector, 'spec.selector');
  yield* daemonSetRules(set);
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

function* daemonSetStatus({ status }: Given<DaemonSet>): Errors {
  for (const field of COUNTS) yield* nonNegative(status?.[field], `status.${field}`);
}
