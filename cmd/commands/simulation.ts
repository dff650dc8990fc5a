/** What a simulation says, as people read it. Pure. */
import pc from 'picocolors';
import {
  type BindingEffect,
  BindingEffect_Verdict,
  BindingEffect_VerdictSchema,
  type SimulationStatus,
  type TargetCluster,
} from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import { enumName } from '../cli/enum-name.ts';
import { stateWord } from '../cli/output.ts';
import { table } from '../cli/table.ts';

/** Something that runs would suffer: it stops, restarts or moves, fits nowhere, or stands in another's way. */
export function disrupts({ bindings, conflicts, unschedulable }: SimulationStatus): boolean {
  return conflicts.length > 0 || unschedulable.length > 0 || bindings.some(isDisrupted);
}

function isDisrupted({ verdict, moves, disruption }: BindingEffect): boolean {
  const bad: readonly number[] = [
    BindingEffect_Verdict.nowhere,
    BindingEffect_Verdict.stuck,
    BindingEffect_Verdict.removed,
  ];
  // Replicas that come or go without another place have no counterpart.
  if (bad.includes(verdict) || moves.some(({ from, to }) => from !== '' && to !== '')) return true;
  const { before = 0, after = 0 } = disruption?.replicas ?? {};
  // Replicas that are no longer asked for may stop; fewer than both before and after want may not run.
  return (disruption?.restarted ?? 0) > 0 || (disruption?.minimumAvailable ?? 0) < Math.min(before, after);
}

export function simulationText(status: SimulationStatus, { paths = false } = {}): string {
  const { conflicts, unschedulable } = status;
  const bindings = status.bindings.filter(isOfPeople);
  const { columns } = process.stdout;
  const rows = bindings.map(effectRow);
  return [
    summary(bindings),
    ...(rows.length === 0
      ? []
      : [
          '',
          table(['APPLICATION', 'VERDICT', 'CLUSTERS', 'PODS', 'BECAUSE'], rows, columns ? { width: columns } : {}),
        ]),
    ...section(
      'In the way',
      conflicts.map(
        ({ type, binding, cluster, message }) => `${type} ${binding}${cluster ? ` in ${cluster}` : ''}: ${message}`,
      ),
    ),
    ...section(
      'Fits nowhere',
      unschedulable
        .filter(({ binding }) => !platformBinding(binding))
        .map(({ binding, message }) => `${binding}: ${message}`),
    ),
    ...(paths ? bindings.flatMap(manifestLines) : []),
  ].join('\n');
}

/** What the platform itself distributes is not for people to look after. */
export const isOfPeople = ({ template }: BindingEffect) => !template?.name.startsWith('kairship:');

/** The same by the name of the binding, in which no colon may stand. */
const platformBinding = (name: string) => name.startsWith('kairship.');

function summary(bindings: readonly BindingEffect[]): string {
  const changed = bindings.filter(({ verdict }) => verdict !== BindingEffect_Verdict.unchanged);
  if (changed.length === 0) return 'Nothing would change.';
  const sum = (of: 'started' | 'stopped' | 'restarted') =>
    bindings.reduce((all, { disruption }) => all + (disruption?.[of] ?? 0), 0);
  const words = [
    [sum('started'), 'start'],
    [sum('stopped'), 'stop'],
    [sum('restarted'), 'restart'],
  ].flatMap(([many, verb]) => (many === 0 ? [] : [`${many} ${verb}`]));
  const pods = words.length === 0 ? 'no pod is touched' : `pods: ${words.join(', ')}`;
  const many = changed.length === 1 ? '1 application' : `${changed.length} applications`;
  return pc.bold(`Would change ${many}; ${pods}.`);
}

function effectRow(effect: BindingEffect): readonly string[] {
  const { template, verdict, because, policy, manifests } = effect;
  const word = enumName(BindingEffect_VerdictSchema, verdict);
  const policies =
    policy && policy.before !== policy.after ? `policy ${policy.before || 'none'} → ${policy.after || 'none'}` : '';
  const failed = manifests
    .filter(({ change }) => change === 'failed')
    .map(({ cluster, message }) => `${cluster}: ${message}`);
  return [
    `${template?.kind.toLowerCase() ?? ''}/${template?.name ?? ''}${template?.namespace ? ` (${template.namespace})` : ''}`,
    stateWord(word),
    moves(effect) || '–',
    podWords(effect) || '–',
    [because, policies, ...failed].filter(Boolean).join('; '),
  ];
}

/** `frankfurt 2→4, singapore 2→0`; those that stay as they are are left out where others change. */
function moves({ before, after }: BindingEffect): string {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  const of = (all: readonly TargetCluster[], name: string) => all.find((each) => each.name === name);
  const lines = names.map((name) => {
    const [was, is] = [of(before, name), of(after, name)];
    if (was && is && was.replicas === is.replicas)
      return { name, same: true, text: `${name}${is.replicas ? ` ${is.replicas}` : ''}` };
    if (was && is) return { name, same: false, text: `${name} ${was.replicas}→${is.replicas}` };
    const many = (was ?? is)?.replicas ?? 0;
    return {
      name,
      same: false,
      text: was ? `${name} ${many ? `${many}→0` : 'leaves'}` : `${name} ${many ? `0→${many}` : 'comes'}`,
    };
  });
  const changed = lines.filter(({ same }) => !same);
  return (changed.length > 0 ? changed : lines).map((line) => line.text).join(', ');
}

function podWords({ disruption }: BindingEffect): string {
  if (!disruption) return '';
  const { started, stopped, restarted, minimumAvailable, replicas } = disruption;
  const words = [
    ...(started > 0 ? [`${started} start`] : []),
    ...(stopped > 0 ? [`${stopped} stop`] : []),
    ...(restarted > 0 ? [`${restarted} restart`] : []),
  ];
  if (words.length === 0) return '';
  const wanted = Math.min(replicas?.before ?? 0, replicas?.after ?? 0);
  const least = `at least ${minimumAvailable} of ${wanted} run`;
  return `${words.join(', ')}; ${minimumAvailable < wanted ? pc.yellow(least) : least}`;
}

function manifestLines({ template, manifests }: BindingEffect): readonly string[] {
  const lines = manifests.flatMap(({ cluster, change, paths }) => [
    `  ${cluster}: ${change}`,
    ...paths.map(({ path, old, new: now }) => `    ${path}: ${shown(old)} → ${shown(now)}`),
  ]);
  return lines.length === 0
    ? []
    : ['', pc.bold(`${template?.kind.toLowerCase() ?? ''}/${template?.name ?? ''}`), ...lines];
}

function shown(
  value: { readonly kind: { readonly case: string | undefined; readonly value?: unknown } } | undefined,
): string {
  if (!value || value.kind.case === undefined) return 'none';
  return JSON.stringify(value.kind.value);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', pc.red(`${title}:`), ...lines.map((line) => `  ${line}`)];
}
