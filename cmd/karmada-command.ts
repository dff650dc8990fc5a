/** The options of `kairship karmada`, in groups, and its help. The program itself is loaded when it is to run. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CONTROLLERS, OFF_BY_DEFAULT } from '#karmada/engine/controller-names.ts';
import { duration } from './cli/options.ts';
import { GATES } from './karmada-flags.ts';

/** Adds them to a command that has those of an API server already. */
export function karmadaCommand(command: Command): Command {
  return command
    .optionsGroup('Which server:')
    .option('--server <kubeconfig>', 'run the engine against this API server, which holds the kinds; start none')
    .option('--explain-only', 'with --server: write nothing there, only serve explanations and simulations', false)
    .option('--leader-elect <bool>', 'with --server: agree on one leader among several engines', bool, true)
    .option('--leader-elect-resource-namespace <name>', 'where the Lease for that is', 'karmada-system')
    .option('--print-crds', "print the definitions of Karmada's kinds, and end", false)
    .optionsGroup('Controllers:')
    .option('--controllers <list>', 'which run: "*" for all on by default, "name" one more, "-name" one less', '*')
    .option('--feature-gates <Name=bool,…>', 'may be given several times', several, [])
    .option('--skipped-propagating-namespaces <list>', 'regular expressions of namespaces without templates')
    .optionsGroup('Health of clusters:')
    .option('--cluster-status-update-frequency <duration>', 'how often each is asked (10s)', duration)
    .option('--cluster-success-threshold <duration>', 'how long it must be well to be ready again (30s)', duration)
    .option('--cluster-failure-threshold <duration>', 'how long it must fail to be not ready (30s)', duration)
    .option('--cluster-monitor-period <duration>', 'how often agents are listened for (5s)', duration)
    .option('--cluster-monitor-grace-period <duration>', 'how long an agent may be silent (40s)', duration)
    .option('--cluster-startup-grace-period <duration>', 'how long a new one may take to be heard of (60s)', duration)
    .optionsGroup('Failover:')
    .option('--enable-no-execute-taint-eviction [bool]', 'NoExecute taints drive workloads out', bool)
    .addOption(
      new Option('--no-execute-taint-eviction-purge-mode <mode>', 'for policies that do not say').choices([
        'Gracefully',
        'Directly',
      ]),
    )
    .option('--resource-eviction-rate <number>', 'bindings evicted in a second (0.5)', number)
    .option('--failover-eviction-timeout <duration>', 'how long a lost cluster is waited for (0s)', duration)
    .option('--graceful-eviction-timeout <duration>', 'how long a copy is kept for its replacement (10m)', duration)
    .option('--evict-last-copy [bool]', 'evict also what fits nowhere else, as Karmada does', bool)
    .option('--allow-no-execute-taint-policy [bool]', 'ClusterTaintPolicies may evict', bool)
    .optionsGroup('Autoscaling:')
    .option('--horizontal-pod-autoscaler-sync-period <duration>', 'how often metrics are read (15s)', duration)
    .option('--horizontal-pod-autoscaler-tolerance <number>', 'how far off a metric may be (0.1)', number)
    .option('--horizontal-pod-autoscaler-downscale-stabilization <duration>', 'how far back it looks (5m)', duration)
    .option(
      '--horizontal-pod-autoscaler-cpu-initialization-period <duration>',
      'CPU of new pods is ignored (5m)',
      duration,
    )
    .option('--horizontal-pod-autoscaler-initial-readiness-delay <duration>', 'as is their readiness (30s)', duration)
    .addHelpText('after', help)
    .action(async (options) => {
      if (options.printCrds) return (await import('./print-crds.ts')).printCrds();
      return (await import('./karmada.ts')).karmada(options);
    });
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('a number from 0');
  return value;
}

/** A flag that is given without a value is meant. */
function bool(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('true or false');
}

function several(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function help(): string {
  const fold = (names: readonly string[]) => names.join(', ').replace(/(.{1,76})(?: |$)/g, '  $1\n');
  return `
The controllers:
${fold(CONTROLLERS)}Off by default:
${fold(OFF_BY_DEFAULT)}The feature gates that can be turned, with their defaults:
${fold(Object.entries(GATES).map(([name, on]) => `${name}=${on}`))}
Examples:
  kairship karmada --data-dir .karmada --kubeconfig-out karmada.kubeconfig
  kairship karmada --server kube.kubeconfig --feature-gates Failover=true
  kairship karmada --server real-karmada.kubeconfig --explain-only \\
    --kubeconfig-out explain.kubeconfig`;
}
