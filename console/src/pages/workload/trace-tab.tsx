/**
 * How far a change has come, drawn as it happens: one line a step, to scale, failures and retries kept.
 *
 * The stream tells the whole trace each time it changes, so that nothing is pieced together here.
 */
import { createClient } from '@connectrpc/connect';
import { Select, Stack, Text, Tooltip } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Run, RunState, type Step, type Trace } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { TraceService } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { clock, took } from '../../i18n/words.ts';
import { engineSays } from '../../i18n/language.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Panel } from '../../parts/page.tsx';
import { Problem, Waiting } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { millis, resourceOf } from './shared.ts';

const traces = createClient(TraceService, transport);

export function TraceTab({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { trace, error } = useTrace(of);
  const [chosen, setChosen] = useState<string | null>(null);
  if (error && !trace) return <Problem error={error} />;
  if (!trace) return <Waiting />;
  const index = chosen === null ? 0 : Number(chosen);
  const run = trace.runs[index] ?? trace.runs[0];
  if (!run) return <Text c="dimmed">{t('trace.none')}</Text>;
  return (
    <Stack gap={14}>
      <Panel
        title={t('trace.title', { generation: String(run.generation) })}
        aside={
          <Select
            aria-label={t('trace.run')}
            w={330}
            allowDeselect={false}
            value={String(index)}
            onChange={setChosen}
            data={trace.runs.map((one, position) => ({
              value: String(position),
              label: `${clock(millis(one.startedAt))} · ${engineSays(one.because)}`,
            }))}
          />
        }
      >
        <RunView run={run} />
      </Panel>
      <CommandLine line={`kairship trace ${of.kind.kind.toLowerCase()}/${of.name} -n ${of.namespace} -w`} />
    </Stack>
  );
}

/** The trace as the stream tells it; begun again when it breaks. */
export function useTrace(of: ObjectRef): { readonly trace: Trace | undefined; readonly error: unknown } {
  const [trace, setTrace] = useState<Trace>();
  const [error, setError] = useState<unknown>();
  const { instance } = of;
  const key = JSON.stringify(resourceOf(of));
  useEffect(() => {
    const end = new AbortController();
    const listen = async () => {
      while (!end.signal.aborted) {
        try {
          const resource = JSON.parse(key) as ReturnType<typeof resourceOf>;
          for await (const told of traces.watchTrace({ instance, resource }, { signal: end.signal })) {
            setTrace(told.trace);
            setError(undefined);
          }
        } catch (failure) {
          if (end.signal.aborted) return;
          setError(failure);
          if (problemOf(failure).kind === 'forbidden') return;
        }
        await new Promise((done) => setTimeout(done, 2_000));
      }
    };
    void listen();
    return () => end.abort();
  }, [instance, key]);
  return { trace, error };
}

const STATES: Readonly<Record<number, State>> = {
  [RunState.RUN_STATE_UNSPECIFIED]: 'unknown',
  [RunState.Propagating]: 'progressing',
  [RunState.Failing]: 'blocked',
  [RunState.Applied]: 'progressing',
  [RunState.Ready]: 'healthy',
};

const WORDS: Readonly<Record<number, 'unknown' | 'propagating' | 'failing' | 'applied' | 'ready'>> = {
  [RunState.RUN_STATE_UNSPECIFIED]: 'unknown',
  [RunState.Propagating]: 'propagating',
  [RunState.Failing]: 'failing',
  [RunState.Applied]: 'applied',
  [RunState.Ready]: 'ready',
};

function RunView({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  const start = millis(run.startedAt);
  const now = useNow(run.state !== RunState.Ready);
  const total = Math.max(1, endOf(run, now) - start);
  const part = { start, total, now, slowest: run.slowest };
  return (
    <Stack gap={10}>
      <Text size="sm" component="div">
        <Status
          state={STATES[run.state] ?? 'unknown'}
          word={t(`trace.state.${WORDS[run.state] ?? 'unknown'}`)}
          count={took(Number(run.durationMs))}
        />
        {' · '}
        {engineSays(run.because)}
        {run.slowest && <span className="soft"> · {t('trace.slowest', { step: slowestText(t, run.slowest) })}</span>}
      </Text>
      <div className="spans" role="list" aria-label={t('trace.steps')}>
        {run.steps.map((step) => (
          <SpanRow key={step.name} step={step} label={stepWord(t, step.name)} {...part} />
        ))}
        {run.clusters.map((cluster) => (
          <div key={cluster.name} style={{ display: 'contents' }}>
            <div style={{ gridColumn: '1 / -1', display: 'flex', gap: 10, alignItems: 'center', paddingTop: 8 }}>
              <b>{cluster.name}</b>
              <Status
                state={STATES[cluster.state] ?? 'unknown'}
                word={t(`trace.state.${WORDS[cluster.state] ?? 'unknown'}`)}
              />
              {cluster.replicas !== undefined && (
                <span className="soft">{t('trace.replicas', { count: cluster.replicas })}</span>
              )}
            </div>
            {cluster.steps.map((step) => (
              <SpanRow key={step.name} step={step} cluster={cluster.name} label={stepWord(t, step.name)} {...part} />
            ))}
          </div>
        ))}
      </div>
    </Stack>
  );
}

interface Part {
  readonly start: number;
  readonly total: number;
  readonly now: number;
  readonly slowest: string;
}

function SpanRow({
  step,
  label,
  cluster,
  start,
  total,
  now,
  slowest,
}: Part & { readonly step: Step; readonly label: string; readonly cluster?: string }) {
  const { t } = useTranslation();
  const from = millis(step.startedAt);
  const isOpen = step.durationMs === undefined;
  const length = isOpen ? Math.max(0, now - from) : Number(step.durationMs);
  const failed = isOpen && step.errors.length > 0;
  const isSlowest = slowest.startsWith(cluster === undefined ? `${step.name}:` : `${step.name} in ${cluster}:`);
  const kind = failed ? 'failed' : isOpen ? 'open' : isSlowest ? 'slowest' : 'done';
  const notes = [
    engineSays(step.detail),
    step.attempts > 1 ? t('trace.attempts', { count: step.attempts }) : '',
  ].filter(Boolean);
  return (
    <div role="listitem" style={{ display: 'contents' }} data-step={step.name}>
      <span className="clip" style={{ paddingLeft: cluster === undefined ? 0 : 14 }}>
        {label}
      </span>
      <Tooltip label={notes.join(' · ')} disabled={notes.length === 0}>
        <span className="lane">
          <i
            className="span"
            data-kind={kind}
            style={{ left: `${((from - start) / total) * 100}%`, width: `${(length / total) * 100}%` }}
          />
        </span>
      </Tooltip>
      <span className="num soft">{isOpen ? '…' : took(length)}</span>
      {step.errors.map((error) => (
        <span
          key={String(error.at?.seconds)}
          style={{ gridColumn: '1 / -1', color: 'var(--k-blocked)', paddingLeft: 14, overflowWrap: 'anywhere' }}
        >
          {clock(millis(error.at))} {engineSays(error.message)}
        </span>
      ))}
    </div>
  );
}

const STEPS = [
  'written',
  'matched',
  'bound',
  'scheduled',
  'aggregated',
  'rendered',
  'applied',
  'collected',
  'ready',
] as const;

function stepWord(t: TFunction, name: string): string {
  const known = STEPS.find((step) => step === name);
  return known ? t(`trace.step.${known}`) : name;
}

/** `applied in eu: 20 ms`, in the reader's words. */
function slowestText(t: TFunction, slowest: string): string {
  const [, step = slowest, cluster = '', time = ''] = /^(\w+)(?: in (.+))?: (.+)$/.exec(slowest) ?? [];
  return [stepWord(t, step), cluster, time].filter(Boolean).join(' · ');
}

function endOf(run: Run, now: number): number {
  const steps = [...run.steps, ...run.clusters.flatMap(({ steps }) => steps)];
  const ends = steps.map((step) =>
    step.durationMs === undefined ? now : millis(step.startedAt) + Number(step.durationMs),
  );
  return Math.max(millis(run.startedAt), ...ends);
}

/** Turns only while something is under way. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
