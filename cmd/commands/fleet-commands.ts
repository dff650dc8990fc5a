/** Instances, clusters, and kubectl on them. */
import type { Command } from 'commander';
import {
  asList,
  commaList,
  duration,
  lasting,
  list,
  onInstance,
  onPlatform,
  patience,
  withOutput,
  yes,
} from '../cli/options.ts';

const patient = (command: Command, what: string) =>
  command.option('--no-wait', `do not wait until ${what}`).addOption(patience('how long to wait'));

export function fleetCommands(program: Command): void {
  instanceCommands(program);
  clusterCommands(program);

  onInstance(program.command('kubeconfig [instance]'))
    .description('a kubeconfig for instances and their members, through the platform')
    .option('--merge', 'put it into the file that kubectl reads, beside what is there', false)
    .option('--members', 'a context for each member, too', false)
    .option('--static', 'embed a token that ends, instead of calling this command', false)
    .option(
      '--ttl <duration>',
      'with --static: how long the token is valid, as 8h or 25d, at most 1825d; 30d when absent',
      duration,
    )
    .option('--prefix <text>', 'before the name of every context', '')
    .addHelpText(
      'after',
      `
Contexts are named after what they open: demo, demo/frankfurt. Only entries that were made
here are ever changed, and never which one is current: that is what kairship use does.

Examples:
  kairship kubeconfig --merge --members
  kairship kubeconfig demo --static --ttl 8h > ci.kubeconfig`,
    )
    .action(async (name: string | undefined, options) => (await import('./kubeconfig.ts')).kubeconfig(name, options));

  onPlatform(program.command('use <instance[/cluster]>'))
    .description("switch kubectl's current context")
    .action(async (reference: string, options) => (await import('./kubeconfig.ts')).use(reference, options));
}

function instanceCommands(program: Command): void {
  const instance = program
    .command('instance')
    .alias('instances')
    .description('create, list, get, upgrade, back up, restore and delete instances');
  patient(onPlatform(instance.command('create <name>')), 'it runs')
    .description('create an instance, and wait until it runs')
    .option('--alias <text>', 'what people call it')
    .option('--karmada-version <version>', 'which Karmada it runs; the newest when absent')
    .option('--kubeconfig <file>', 'adopt the Karmada that this leads to, which somebody else runs, instead')
    .addHelpText(
      'after',
      `
Examples:
  kairship instance create shop
  kairship instance create prod --kubeconfig karmada-apiserver.kubeconfig    a Karmada that runs already`,
    )
    .action(async (name: string, options) => (await import('./instances.ts')).createInstance(name, options));
  asList(onPlatform(instance.command('list')))
    .description('list instances')
    .action(async (options) => (await import('./instances.ts')).listInstances(options));
  withOutput(onPlatform(instance.command('get <name>')))
    .description('what is known of one')
    .action(async (name: string, options) => (await import('./instances.ts')).getInstance(name, options));
  yes(patient(onPlatform(instance.command('delete <name>')), 'it is gone'))
    .description('delete one that has no clusters any more')
    .action(async (name: string, options) => (await import('./instances.ts')).deleteInstance(name, options));
  onPlatform(instance.command('upgrade <name>'))
    .description('change the version of Karmada that it runs')
    .option('--to <version>', 'the version; the newest when absent')
    .addOption(patience('how long to wait'))
    .action(async (name: string, options) => (await import('./instances.ts')).upgradeInstance(name, options));
  withOutput(onPlatform(instance.command('components [name]')))
    .description('what it is made of, and how each part is')
    .action(async (name: string | undefined, options) => (await import('./instances.ts')).components(name, options));
  backupCommands(instance);
}

function backupCommands(instance: Command): void {
  patient(onInstance(instance.command('backup [instance]')), 'it is complete')
    .description('copy all that it holds, while it goes on')
    .option('--name <name>', 'what the backup is called; a name is made when absent')
    .option('--note <text>', 'what it is for')
    .addHelpText(
      'after',
      `
The name is the one thing on stdout, as backup/NAME. The platform answers once the copy is complete,
or after 20 s: with --no-wait nothing more is waited for.

Examples:
  kairship instance backup demo --name before-upgrade --note 'Karmada 1.16'`,
    )
    .action(async (name: string | undefined, options) => (await import('./backups.ts')).makeBackup(name, options));
  asList(onInstance(instance.command('backups [instance]')))
    .description('list the backups of one, the newest first')
    .action(async (name: string | undefined, options) => (await import('./backups.ts')).listBackups(name, options));
  yes(onInstance(instance.command('restore <backup> [instance]')))
    .description('put one back to a backup; what would change is shown first')
    .option('--from <instance>', 'the instance that it is a backup of, when that is another')
    .option('--namespaces <names>', 'only what is in these, as a,b; nothing that came since goes', commaList, [])
    .option('--dry-run', 'show what would change, and change nothing', false)
    .addOption(patience('how long to wait until it runs again'))
    .addHelpText(
      'after',
      `
Members are not emptied: what was created since the backup stays there, and nobody manages it.

Examples:
  kairship instance restore before-upgrade demo --dry-run
  kairship instance restore before-upgrade demo --namespaces shop,billing
  kairship instance restore before-upgrade rehearsal --from demo    into another instance`,
    )
    .action(async (backup: string, name: string | undefined, options) =>
      (await import('./backups.ts')).restoreBackup(backup, name, options),
    );
  yes(onInstance(instance.command('delete-backup <backup> [instance]')))
    .description('delete a backup')
    .action(async (backup: string, name: string | undefined, options) =>
      (await import('./backups.ts')).deleteBackup(backup, name, options),
    );
}

function clusterCommands(program: Command): void {
  const cluster = program
    .command('cluster')
    .alias('clusters')
    .description('list, join, cordon, taint, label and remove clusters; tokens for agents');
  asList(onInstance(cluster.command('list')))
    .description('list the members of an instance')
    .action(async (options) => (await import('./clusters.ts')).listClusters(options));
  patient(onInstance(cluster.command('join <name>')), 'it is ready')
    .description('make a cluster a member')
    .option('--kubeconfig <file>', 'how to reach it; without it, one that is in the inventory joins')
    .option('--kube-context <name>', 'the context in that file; its current one when absent')
    .option('--provider <provider>', 'whose it is')
    .option('--region <region>', 'where it is')
    .option('--zone <zone>', 'where in the region')
    .option('--label <key=value>', 'a label; may be given several times', list, [])
    .option('--pull', 'nobody reaches it from outside: print the command that starts its agent, and wait for that')
    .addHelpText(
      'after',
      `
The platform speaks to the cluster: its API must be reachable from there, and the credential
in the file must last. A cluster that cannot be reached joins with --pull: an agent beside it
dials out, and its credential never leaves it.

Examples:
  kairship cluster join edge-1 --pull --region eu-west-3

  kairship cluster join paris --kubeconfig paris.kubeconfig --provider aws --region eu-west-3
  kairship cluster join paris -i other           one that is in the inventory already`,
    )
    .action(async (name: string, options) => (await import('./clusters.ts')).joinCluster(name, options));
  onInstance(cluster.command('agent-token <name>'))
    .description('a token that starts the agent of a cluster nobody reaches from outside')
    .addOption(lasting('--ttl', 'how long an agent may be started with it, 10m to 720h', '24h'))
    .addHelpText(
      'after',
      `
The token is printed alone, so that it can be passed on:

  kairship agent --kubeconfig edge-1.yaml --token "$(kairship cluster agent-token edge-1)"`,
    )
    .action(async (name: string, options) => (await import('./agent-token.ts')).agentToken(name, options));
  onInstance(cluster.command('cordon <name...>'))
    .description('place nothing new there')
    .action(async (names: readonly string[], options) => (await import('./clusters.ts')).cordon(names, options));
  onInstance(cluster.command('uncordon <name...>'))
    .description('place things there again')
    .action(async (names: readonly string[], options) => (await import('./clusters.ts')).uncordon(names, options));
  onInstance(cluster.command('taint <name> <taint...>'))
    .description('add a taint (key=value:NoSchedule), or remove one (key-)')
    .action(async (name: string, taints: readonly string[], options) =>
      (await import('./clusters.ts')).taint(name, taints, options),
    );
  onInstance(cluster.command('label <name> <label...>'))
    .description('set a label (key=value), or remove one (key-)')
    .action(async (name: string, labels: readonly string[], options) =>
      (await import('./clusters.ts')).label(name, labels, options),
    );
  yes(patient(onInstance(cluster.command('remove <name...>')), 'they are gone'))
    .description('take clusters out of the instance')
    .option('--force', 'at once, even if what runs there cannot be taken out', false)
    .option('--forget', 'take them out of the inventory, too', false)
    .action(async (names: readonly string[], options) =>
      (await import('./clusters.ts')).removeClusters(names, options),
    );
}
