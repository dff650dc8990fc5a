/** Looking into all clusters at once. */
import { type Command, Option } from 'commander';
import { asList, commaList, count, duration, inNamespace, lasting, onInstance, onPlatform } from '../cli/options.ts';

const inMembers = (command: Command) => chosen(inNamespace(onInstance(command)));

const chosen = (command: Command) =>
  command
    .option('-C, --clusters <names>', 'only these clusters, with commas between them', commaList)
    .addOption(lasting('--member-timeout', 'how long to wait for one cluster', '15s'));

const everywhere = (command: Command) =>
  inMembers(command)
    .option('-A, --all-namespaces', 'in all namespaces')
    .addOption(
      new Option('--scope <where>', 'where to look; the members for what members serve, when absent').choices([
        'instance',
        'members',
        'all',
      ]),
    );

export function memberCommands(program: Command): void {
  asList(everywhere(program.command('get <kind> [name...]')))
    .description('list objects of all clusters in one table')
    .option('--field-selector <fields>', 'only what has these fields, as status.phase=Running')
    .addHelpText(
      'after',
      `
Examples:
  kairship get pods -A                          in every cluster
  kairship get deploy,svc -C frankfurt,virginia
  kairship get deployment/nginx --scope all     the template and what became of it
  kairship get propagationpolicies              what only the instance has
  kairship get frankfurt/pod/nginx-0 -o yaml`,
    )
    .action(async (kind: string, names: readonly string[], options) =>
      (await import('./get.ts')).get([kind, ...names], options),
    );

  everywhere(program.command('describe <kind/name> [name...]'))
    .description('everything about an object, in every cluster that has it')
    .action(async (kind: string, names: readonly string[], options) =>
      (await import('./describe.ts')).describe([kind, ...names], options),
    );

  inMembers(program.command('logs [kind/name]'))
    .description('what pods say, from every cluster as one stream')
    .option('-l, --selector <labels>', 'of the pods with these labels')
    .option('-c, --container <name>', 'of this container; the first when absent')
    .option('--all-containers', 'of all containers')
    .option('-f, --follow', 'go on with what is said next')
    .option('-p, --previous', 'of the container before it was restarted')
    .option('--timestamps', 'with the time of each line')
    .option('--tail <count>', 'only the last lines', count)
    .option('--since <duration>', 'only what was said since then, as 10m', duration)
    .option('--prefix', 'name cluster and pod before each line, also of a single one')
    .addHelpText(
      'after',
      `
Examples:
  kairship logs deployment/nginx -f
  kairship logs -l app=nginx -C frankfurt --tail 20
  kairship logs frankfurt/pod/nginx-0`,
    )
    .action(async (reference: string | undefined, options) => (await import('./logs.ts')).logs(reference, options));

  // Here -i is for stdin, as everywhere else that commands are run in pods.
  chosen(inNamespace(onPlatform(program.command('exec <kind/name> [command...]'))))
    .option('--instance <name>', "the instance; the context's, or the only one, when absent")
    .description('run a command in a pod, wherever it runs')
    .option('-c, --container <name>', 'in this container; the first when absent')
    .option('-i, --stdin', 'pass stdin to it')
    .option('-t, --tty', 'stdin is a terminal')
    .option('-q, --quiet', 'do not say which pod was chosen')
    .addHelpText(
      'after',
      `
Examples:
  kairship exec deployment/nginx -- date
  kairship exec -it deployment/nginx -C frankfurt -- sh`,
    )
    .action(async (reference: string, command: readonly string[], options) =>
      (await import('./exec.ts')).exec(reference, command, options),
    );

  asList(everywhere(program.command('top <pods|nodes|clusters> [name]')))
    .description('how much pods, nodes and clusters use')
    .addOption(new Option('--sort-by <what>', 'what comes first').choices(['cpu', 'memory', 'name']).default('cpu'))
    .action(async (what: string, name: string | undefined, options) =>
      (await import('./top.ts')).top(what, name, options),
    );

  asList(everywhere(program.command('events')))
    .description('what happened, in the instance and its members, in order')
    .option('--for <kind/name>', 'only to this object')
    .option('--types <types>', 'only these, as Warning', commaList)
    .action(async (options) => (await import('./events.ts')).events(options));
}
