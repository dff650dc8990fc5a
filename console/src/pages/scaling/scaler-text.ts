/** Autoscalers as text, and what a page says of them. */
import { stringify } from 'yaml';
import type { Thing } from '../../api/objects.ts';
import type { State } from '../../parts/status.tsx';

export interface Target {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export interface Metric {
  readonly name: string;
  /** `60 %`, `500m` */
  readonly target: string;
  /** The same as it is now; empty where nothing was measured. */
  readonly current: string;
}

export interface CronRule {
  readonly name: string;
  readonly schedule: string;
  readonly timeZone: string;
  readonly replicas: string;
  readonly suspended: boolean;
  readonly lastAt: number;
  readonly lastFailure: string;
  readonly nextAt: number;
}

export function targetOf({ spec }: Thing): Target {
  const { apiVersion = 'apps/v1', kind = '', name = '' } = (spec?.['scaleTargetRef'] ?? {}) as Partial<Target>;
  return { apiVersion, kind, name };
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** `2–10` */
export function rangeOf({ spec }: Thing): string {
  const [least, most] = [number(spec?.['minReplicas']) ?? 1, number(spec?.['maxReplicas'])];
  return most === undefined ? '' : `${least}–${most}`;
}

export function replicasOf({ status }: Thing): {
  readonly current: number;
  readonly desired: number;
  readonly at: number;
} {
  const last = status?.['lastScaleTime'];
  return {
    current: number(status?.['currentReplicas']) ?? 0,
    desired: number(status?.['desiredReplicas']) ?? 0,
    at: typeof last === 'string' ? Date.parse(last) || 0 : 0,
  };
}

interface Source {
  readonly name?: string;
  readonly metric?: { readonly name?: string };
  readonly target?: Value;
  readonly current?: Value;
}
interface Value {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}
type Spoken = Readonly<Record<string, Source | string | undefined>> & { readonly type?: string };

function sourceOf(metric: Spoken | undefined): Source {
  const key = (metric?.type ?? '').replace(/^./, (letter) => letter.toLowerCase());
  const found = metric?.[key];
  return typeof found === 'object' ? found : {};
}

function valueText(value: Value | undefined): string {
  if (value?.averageUtilization !== undefined) return `${value.averageUtilization} %`;
  return value?.averageValue ?? value?.value ?? '';
}

export function metricsOf({ spec, status }: Thing): readonly Metric[] {
  const now = ((status?.['currentMetrics'] ?? []) as readonly Spoken[]).map(sourceOf);
  return ((spec?.['metrics'] ?? []) as readonly Spoken[]).map((metric) => {
    const source = sourceOf(metric);
    const name = source.name ?? source.metric?.name ?? metric.type ?? '';
    const current = now.find((one) => (one.name ?? one.metric?.name) === name);
    return { name, target: valueText(source.target), current: valueText(current?.current) };
  });
}

interface Rule {
  readonly name: string;
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspend?: boolean;
  readonly targetReplicas?: number;
  readonly targetMinReplicas?: number;
  readonly targetMaxReplicas?: number;
}
interface History {
  readonly ruleName: string;
  readonly nextExecutionTime?: string;
  readonly successfulExecutions?: readonly { readonly executionTime?: string }[];
  readonly failedExecutions?: readonly { readonly executionTime?: string; readonly message?: string }[];
}

export function rulesOf({ spec, status }: Thing): readonly CronRule[] {
  const histories = (status?.['executionHistories'] ?? []) as readonly History[];
  return ((spec?.['rules'] ?? []) as readonly Rule[]).map((rule) => {
    const history = histories.find(({ ruleName }) => ruleName === rule.name);
    const { targetReplicas, targetMinReplicas, targetMaxReplicas } = rule;
    return {
      name: rule.name,
      schedule: rule.schedule,
      timeZone: rule.timeZone ?? 'UTC',
      replicas:
        targetReplicas === undefined
          ? [targetMinReplicas, targetMaxReplicas].map((each) => each ?? '…').join('–')
          : String(targetReplicas),
      suspended: rule.suspend === true,
      lastAt: timeOf(history?.successfulExecutions?.[0]?.executionTime),
      lastFailure: history?.failedExecutions?.[0]?.message ?? '',
      nextAt: timeOf(history?.nextExecutionTime),
    };
  });
}

const timeOf = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time) || 0);

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** How it is, and the condition that says so. */
export function scalerState(scaler: Thing): { readonly state: State; readonly message: string } {
  const conditions = (scaler.status?.['conditions'] ?? []) as readonly Condition[];
  const bad = conditions.find(
    ({ type, status }) => (type === 'AbleToScale' || type === 'ScalingActive') && status === 'False',
  );
  if (bad) return { state: 'degraded', message: bad.message ?? '' };
  if (scaler.kind === 'CronFederatedHPA') {
    const failed = rulesOf(scaler).find(({ lastFailure, lastAt }) => lastFailure !== '' && lastAt === 0);
    return failed ? { state: 'degraded', message: failed.lastFailure } : { state: 'healthy', message: '' };
  }
  return { state: conditions.length > 0 ? 'healthy' : 'progressing', message: '' };
}

/** Seconds for which what was decided is held, at most: as the API has it. */
export const LONGEST_CALM = 3_600;

export type Lack = 'range' | 'calm' | 'metric' | 'target' | 'rule';

/** What keeps an autoscaler from being one. */
export function scalerLacks(object: unknown): readonly Lack[] {
  const scaler = object as Thing;
  const { spec = {} } = scaler;
  const lacks = (what: Lack, isLacking: boolean): readonly Lack[] => (isLacking ? [what] : []);
  const target = lacks('target', targetOf(scaler).name === '');
  if (scaler.kind === 'CronFederatedHPA') return [...target, ...lacks('rule', rulesOf(scaler).length === 0)];
  const [least, most] = [number(spec['minReplicas']) ?? 1, number(spec['maxReplicas']) ?? 0];
  const calm = Object.values((spec['behavior'] ?? {}) as Readonly<Record<string, Behavior>>);
  return [
    ...target,
    ...lacks('range', least < 1 || most < least),
    ...lacks(
      'calm',
      calm.some(({ stabilizationWindowSeconds: held = 0 }) => held < 0 || held > LONGEST_CALM),
    ),
    ...lacks('metric', metricsOf(scaler).length === 0),
  ];
}

interface Behavior {
  readonly stabilizationWindowSeconds?: number;
}

export interface NewScaler {
  readonly kind: string;
  readonly namespace: string;
  readonly target: string;
}

export function newScalerText({ kind, namespace, target }: NewScaler): string {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: target };
  const metadata = { name: target || 'web', namespace };
  if (kind === 'CronFederatedHPA')
    return stringify({
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
      kind,
      metadata,
      spec: { scaleTargetRef, rules: [{ name: 'mornings', schedule: '0 8 * * *', targetReplicas: 3 }] },
    });
  return stringify({
    apiVersion: kind === 'FederatedHPA' ? 'autoscaling.karmada.io/v1alpha1' : 'autoscaling/v2',
    kind,
    metadata,
    spec: {
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      ],
    },
  });
}
