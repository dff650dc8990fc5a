/** Changing things, and knowing why, what if and how far. */
import type { Command } from 'commander';
import { asList, commaList, count, inNamespace, list, onInstance, patience, withOutput, yes } from '../cli/options.ts';

const fromFiles = (command: Command) =>
  command
    .option('-f, --filename <file>', 'a file, a folder, or - for stdin; may be given several times', list, [])
    .option('-R, --recursive', 'folders with everything in them');

export function changeCommands(program: Command): void {
  yes(withOutput(fromFiles(inNamespace(onInstance(program.command('apply'))))))
    .description('apply objects, and watch them arrive in every cluster')
    .option('--plan', 'show what would happen first, and ask')
    .option('--force', 'take fields over that somebody else set')
    .option('--no-wait', 'do not watch')
    .addOption(patience('how long to watch'))
    .action(async (options) => (await import('./apply.ts')).apply(options));

  withOutput(fromFiles(inNamespace(onInstance(program.command('plan [kind/name]')))))
    .description('what would happen if: ends with 6 when it would disrupt what runs')
    .option('--replicas <count>', 'with so many replicas', count)
    .option('--remove', 'without it')
    .option('--lose <clusters>', 'with these clusters lost at once', commaList, [])
    .option('--unjoin <clusters>', 'with these clusters leaving in good order', commaList, [])
    .option('--cordon <clusters>', 'with nothing new placed there', commaList, [])
    .option('--uncordon <clusters>', 'with something placed there again', commaList, [])
    .option('--taint <cluster:taint>', 'with a taint, or one less; may be given several times', list, [])
    .option('--diff', 'with every field that would change')
    .addHelpText(
      'after',
      `
Examples:
  kairship plan -f policy.yaml                           before applying it
  kairship plan deployment/nginx --replicas 12
  kairship plan --taint frankfurt:maintenance=true:NoSchedule
  kairship plan -f manifests/ -o json > plan.json        in a pipeline: stops it with code 6`,
    )
    .action(async (reference: string | undefined, options) => (await import('./plan.ts')).plan(reference, options));

  withOutput(inNamespace(onInstance(program.command('why <kind/name>'))))
    .description('why an application runs where it runs, and not elsewhere')
    .option('--cluster <name>', 'every reason about one cluster')
    .option('--kubeconfig <file>', "an instance's own kubeconfig, instead of the platform")
    .action(async (reference: string, options) => (await import('./why.ts')).why(reference, options));

  asList(inNamespace(onInstance(program.command('trace [kind/name]'))))
    .description('how far a change has come, hop by hop')
    .option('-A, --all-namespaces', 'without a name: of all namespaces')
    .action(async (reference: string | undefined, options) => (await import('./trace.ts')).trace(reference, options));

  driftCommands(program);

  withOutput(onInstance(program.command('rehearse')))
    .description('what would come of losing clusters, without losing any')
    .requiredOption('--lose <clusters>', 'the clusters, with commas between them', commaList)
    .action(async (options) => (await import('./plan.ts')).rehearse(options));

  inNamespace(onInstance(program.command('promote <cluster> <kind/name>')))
    .description('take an application of one cluster into the instance')
    .option('--service <name>', 'a service to take along; may be given several times', list, [])
    .action(async (cluster: string, reference: string, options) =>
      (await import('./promote.ts')).promote(cluster, reference, options),
    );

  withOutput(fromFiles(program.command('interpret')))
    .description('try a ResourceInterpreterCustomization out, on files alone')
    .option('--operation <operation>', 'what to ask it, as InterpretHealth; without it, scripts are only checked')
    .option('--desired <file>', 'the template')
    .option('--observed <file>', 'the object as it is in a member')
    .option('--status <file>', 'for AggregateStatus: a binding, or objects named after their clusters')
    .option('--replicas <count>', 'for ReviseReplica', count)
    .addHelpText(
      'after',
      `
Examples:
  kairship interpret -f customization.yaml
  kairship interpret -f customization.yaml --operation InterpretHealth --observed workload.yaml`,
    )
    .action(async (options) => (await import('./interpret.ts')).interpret(options));
}

function driftCommands(program: Command): void {
  const drift = program.command('drift').description('what lives otherwise than it was sent, and settling it');
  asList(onInstance(drift.command('list')))
    .description('list objects that have drifted')
    .option('-n, --namespace <namespace>', 'only in this namespace')
    .option('--cluster <name>', 'only in this cluster')
    .action(async (options) => (await import('./drift.ts')).listDrift(options));
  const one = (name: string) =>
    withOutput(inNamespace(onInstance(drift.command(`${name} <kind/name>`)))).requiredOption(
      '--cluster <name>',
      'in this cluster',
    );
  const settling = (name: string) =>
    one(name)
      .option('--field <pointer...>', 'only these fields, as /spec/replicas; all when absent')
      .option('--dry-run', 'only say what would be written');
  one('show')
    .description('every field: as the template has it, as it was sent, as it is')
    .action(async (reference: string, options) => (await import('./drift.ts')).showDrift(reference, options));
  settling('accept')
    .description('what lives there is right: keep it, by an override policy for that cluster')
    .option('--keep', 'rather no longer look at the field')
    .action(async (reference: string, options) => (await import('./drift.ts')).acceptDrift(reference, options));
  settling('revert')
    .description('what was sent is right: put it back')
    .action(async (reference: string, options) => (await import('./drift.ts')).revertDrift(reference, options));
}
