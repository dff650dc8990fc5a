/**
 * The `kairship` command. Each program and command is loaded only when it is asked for, so that `--help` and `why`
 * answer at once.
 */
import './quick-imports.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, failureOf, usageLines } from './cli/failure.ts';
import { count, factor, list, port } from './cli/options.ts';
import { userCommands } from './commands/index.ts';
import { karmadaCommand } from './karmada-command.ts';
import { agentCommand } from './agent-command.ts';
import { apiserverCommand, controllerManagerCommand, operatorCommand } from './platform/commands.ts';
import { MOST_MEMBERS } from './up/members.ts';
import { DEFAULT_DIRECTORY } from './up/default-directory.ts';
import { version } from './version.ts';

const members = (text: string): number => {
  const value = count(text);
  if (value > MOST_MEMBERS) throw new InvalidArgumentError(`at most ${MOST_MEMBERS} can be started`);
  return value;
};

const dataDirectory = () =>
  new Option('--data-dir <folder>', 'where the platform keeps its data')
    .default(DEFAULT_DIRECTORY)
    .env('KAIRSHIP_DATA_DIR');

const program = new Command('kairship')
  .description('Multi-cloud orchestration for Kubernetes that explains itself.')
  .version(version)
  .configureOutput({ outputError: (text, write) => write(usageLines(text, commandWords(process.argv.slice(2)))) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT.usage));

program.commandsGroup('Start here:');
program
  .command('up')
  .description('start a whole platform on this machine: an instance, clusters, console')
  .addOption(dataDirectory())
  .option('--port <port>', "the platform's port on 127.0.0.1", port, 7300)
  .option('--members <count>', `how many simulated clusters to start, at most ${MOST_MEMBERS}`, members, 3)
  .option('--bare', 'no clusters and no sample application', false)
  .option('--registry <name=url>', 'a registry to choose images from; may be given several times', list, [])
  .option('--prometheus <url>', 'a metrics store that answers as Prometheus does')
  .action(async (options) => (await import('./up.ts')).up(options));

userCommands(program);
program.commandsGroup('Programs of the platform:');

const server = (command: Command) =>
  command
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <port>', 'the port to listen on; 0 takes a free one', port, 0);

const cluster = (command: Command) =>
  server(command)
    .option('--data-dir <folder>', 'where to keep its data; in memory when absent')
    .option('--kubeconfig-out <file>', "where to write an administrator's kubeconfig")
    .addOption(new Option('--store <backend>', 'what holds the objects').choices(['sqlite', 'memory', 'etcd']))
    .option('--etcd-servers <url>', 'the address of an etcd to keep the objects in')
    .option('--etcd-cafile <file>', "the authority of etcd's certificate")
    .option('--etcd-certfile <file>', 'the certificate to show etcd')
    .option('--etcd-keyfile <file>', 'its private key')
    .addOption(
      new Option('--durability <level>', 'full: a write survives power loss; normal: it survives a crash')
        .choices(['full', 'normal'])
        .default('full'),
    )
    .option('--audit-log <file>', 'where to write who did what; nowhere when absent');

cluster(program.command('kube-apiserver').description('run a Kubernetes API server')).action(async (options) =>
  (await import('./kube-apiserver.ts')).kubeApiserver(options),
);

karmadaCommand(
  cluster(program.command('karmada').description('run one instance: an API server with a Karmada-compatible engine')),
);

cluster(program.command('member').description('run a simulated member cluster'))
  .requiredOption('--name <name>', "the cluster's name")
  .option('--nodes <count>', 'how many nodes it has', count, 3)
  .option('--node-cpu <quantity>', 'CPU of each node', '8')
  .option('--node-memory <quantity>', 'memory of each node', '32Gi')
  .option('--region <region>', 'where it is')
  .option('--zone <zone>', 'where in the region')
  .option('--provider <provider>', 'whose it is')
  .option('--speed <factor>', 'how much faster than real time passes in it', factor, 1)
  .option('--start-delay <duration>', 'how long a container takes to start, as 2s or 500ms')
  .addHelpText('after', () => MEMBER_HELP)
  .action(async (options) => (await import('./member.ts')).member(options));

agentCommand(program.command('agent'));

apiserverCommand(server(program.command('apiserver')));

controllerManagerCommand(server(program.command('controller-manager')));

operatorCommand(server(program.command('operator')));

server(program.command('ghippo').description('run identity and access: people, roles, rights, sign-in, audit'))
  .requiredOption('--data-dir <folder>', 'where to keep its data')
  .option('--kubeconfig <file>', "the global cluster's kubeconfig; as kubectl finds it when absent")
  .addOption(
    new Option('--database <url>', 'a PostgreSQL for sessions and the audit log; a file when absent').env(
      'KAIRSHIP_DATABASE',
    ),
  )
  .action(async (options) => (await import('./ghippo.ts')).ghippo(options));

server(program.command('kpanda').description('run the inventory of clusters and the index of what is in them'))
  .requiredOption('--data-dir <folder>', 'where to keep its data')
  .option('--kubeconfig <file>', "the global cluster's kubeconfig; as kubectl finds it when absent")
  .addOption(
    new Option('--database <url>', 'a PostgreSQL for the index; a file in the data directory when absent').env(
      'KAIRSHIP_INDEX_DATABASE',
    ),
  )
  .option('--kubeconfig-out <file>', 'where to write a kubeconfig for the index')
  .option('--import <name=kubeconfig>', 'a cluster to import; may be given several times', list, [])
  .action(async (options) => (await import('./kpanda.ts')).kpanda(options));

program.command('__compile', { hidden: true }).action(async () => (await import('./compile.ts')).compile());

/** The command that was meant, as far as it is one: `cluster list`. */
function commandWords(args: readonly string[]): string {
  let at: Command = program;
  const words: string[] = [];
  for (const word of args) {
    const found = at.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!found) break;
    words.push(word);
    at = found;
  }
  return words.join(' ');
}

/** What can be asked of a simulated cluster while it runs. */
const MEMBER_HELP = `
Pods, or the templates they are made from, may be annotated with members.kairship.io/…
  fail          ImagePullBackOff, CrashLoopBackOff, NeverReady, Error or OOMKilled
  start, ready  how long it takes to start, and then to be ready (5s, 500ms, 2m)
  run, stop     how long it runs before it ends of itself, and how long it takes to stop
  exit-code     what it ends with
  restarts      how often it should have been restarted by now
  cpu-usage, cpu-load, memory-usage
                what it is said to use; a load is shared by all pods of one owner
An image tagged :missing cannot be pulled. Commands such as sleep 5, false and sh -c "exit 3" do as they say.

Nodes may be annotated or labelled with members.kairship.io/ready
  false         the node says that it is not ready; its pods are evicted when they no longer tolerate it
  unknown       nothing is heard of the node any more`;

try {
  await program.parseAsync();
} catch (error) {
  const { lines, code } = failureOf(error, commandWords(process.argv.slice(2)));
  process.stderr.write(`${lines.join('\n')}\n`);
  // A supervised program's stderr is its log, where the trace belongs; a person gets it only when asking for it.
  const wanted = process.send !== undefined || process.env['KAIRSHIP_LOG'] === 'debug';
  if (wanted && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  process.exit(code);
}
