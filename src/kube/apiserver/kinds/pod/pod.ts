/** Pods: the unit that is scheduled. Everything but images, deadlines and tolerations is fixed once it exists. */
import type { Pod } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { defaultPod } from './pod-defaults.ts';
import { podCreate, podUpdate } from './pod-rules.ts';
import { podSummary } from './pod-status.ts';
import { podWarnings } from './pod-warnings.ts';
import { qosClassOf } from './qos-class.ts';

export const pods: ResourceDefinition = kind<Pod>(
  { group: '', version: 'v1', kind: 'Pod' },
  {
    shortNames: ['po'],
    categories: ['all'],
    generation: 'spec',
    deleteReturnsObject: true,
    defaults: defaultPod,
    update: tolerateTrouble,
    create: preparePod,
    validate: podCreate,
    validateUpdate: podUpdate,
    statusKeeps: ['ownerReferences'],
    status: keepQosClass,
    warnings: ({ spec }) => podWarnings(spec ?? {}, 'spec'),
    gracePeriod,
    fields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
      'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
      'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
      'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
      'status.phase': ({ status }) => status?.phase ?? '',
      'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '',
      'status.podIPs': ({ status }) => (status?.podIPs ?? []).map(({ ip }) => ip ?? '').join(','),
      'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
    },
    columns: [
      nameColumn,
      column<Pod>('Ready', 'Containers that are ready, of all.', (pod, now) => podSummary(pod, now).ready),
      column<Pod>(
        'Status',
        'The state of the pod or of what keeps it from running.',
        (pod, now) => podSummary(pod, now).status,
      ),
      column<Pod>(
        'Restarts',
        'How often containers were started again, and when last.',
        (pod, now) => podSummary(pod, now).restarts,
      ),
      ageColumn,
      wideColumn<Pod>('IP', 'The address of the pod.', ({ status }) => status?.podIPs?.[0]?.ip || '<none>'),
      wideColumn<Pod>('Node', 'The node the pod runs on.', ({ spec }) => spec?.nodeName || '<none>'),
      wideColumn<Pod>(
        'Nominated Node',
        'The node where room is being made for the pod.',
        ({ status }) => status?.nominatedNodeName || '<none>',
      ),
      wideColumn<Pod>('Readiness Gates', 'Gates that are open, of all.', readinessGates),
    ],
  },
);

const TOLERATED_SECONDS = 300;

/** A new pod waits to be scheduled, with the tolerations and the priority that admission gives every pod. */
function keepQosClass(pod: Making<Pod>, { status }: Given<Pod>): void {
  if (status?.qosClass) (pod.status ??= {}).qosClass ||= status.qosClass;
}

function preparePod(pod: Making<Pod>): void {
  const spec = (pod.spec ??= {});
  pod.status = { phase: 'Pending', qosClass: qosClassOf(spec) };
  tolerateTrouble(pod);
  if (!spec.priorityClassName) spec.priority ??= 0;
  spec.preemptionPolicy ??= 'PreemptLowerPriority';
}

/** A while on a node that has trouble, before its pods are to be found elsewhere. */
function tolerateTrouble({ spec = {} }: Making<Pod>): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = (spec.tolerations ?? []).some(
      (one) => (one.key === key || !one.key) && (one.effect === 'NoExecute' || !one.effect),
    );
    if (tolerated) continue;
    (spec.tolerations ??= []).push({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: TOLERATED_SECONDS,
    });
  }
}

/** What was never scheduled, or has ended, has no process to wait for. */
function gracePeriod({ spec, status }: Given<Pod>, asked: number | undefined): number {
  if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function readinessGates({ spec, status }: Given<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(
    (gate) => (status?.conditions ?? []).find(({ type }) => type === gate.conditionType)?.status === 'True',
  );
  return `${open.length}/${gates.length}`;
}
