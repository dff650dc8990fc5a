/** The options of the platform's own programs. The programs themselves are loaded when they are to run. */
import { type Command, Option } from 'commander';
import { CONTROLLERS } from '#kairship/controllers/controller-names.ts';
import { lasting, list, port } from '../cli/options.ts';

/** Adds them to a command that has the options of a server already. */
export function apiserverCommand(command: Command): Command {
  return logging(command)
    .description(
      'run the entrance: API, instance proxy, console; on a global cluster of its own, or many on a shared one',
    )
    .requiredOption(
      '--data-dir <folder>',
      'where to keep its certificates, and its data if it has a cluster of its own',
    )
    .requiredOption('--token-file <file>', "a file with the administrator's token")
    .option('--public-url <url>', 'how it is reached from elsewhere; goes into kubeconfigs and certificates')
    .optionsGroup('A global cluster of its own:')
    .option('--global-port <port>', 'where that serves its own API; 0 picks a free port', port, 0)
    .option('--controllers <list>', 'which controllers run beside it: "*" for all, "-name" one less, "" for none', '*')
    .optionsGroup('A shared global cluster:')
    .option('--kubeconfig <file>', 'of the global cluster; nothing but certificates is kept here then')
    .option('--index <address>', 'where the index is: postgres://… or a file')
    .option('--database <address>', 'where the identity module keeps sessions and records: postgres://… or a file')
    .optionsGroup('What is around it:')
    .option('--registry <name=url>', 'a registry to choose images from; may be given several times', list, [])
    .option('--prometheus <url>', 'a metrics store that answers as Prometheus does')
    .action(async (options) => (await import('../apiserver.ts')).apiserver(options));
}

export function controllerManagerCommand(command: Command): Command {
  return logging(command)
    .description('run the controllers of the platform; of several one leads')
    .option('--kubeconfig <file>', "the global cluster's kubeconfig; as kubectl finds it when absent")
    .requiredOption('--index <address>', 'where the index is: postgres://… or a file')
    .requiredOption('--database <address>', 'where the identity module keeps records: postgres://… or a file')
    .option('--controllers <list>', 'which run: "*" for all, "name" one more, "-name" one less', '*')
    .addOption(lasting('--leader-elect-lease-duration', 'how long a silent leader is waited for', '15s'))
    .addOption(lasting('--leader-elect-renew-deadline', 'how long a leader tries to stay one', '10s'))
    .addOption(lasting('--leader-elect-retry-period', 'how often they try', '2s'))
    .addHelpText('after', `\nThe controllers:\n  ${CONTROLLERS.join('\n  ')}`)
    .action(async (options) => (await import('../controller-manager.ts')).controllerManager(options));
}

export function operatorCommand(command: Command): Command {
  return logging(command)
    .description('run the embedded instances of a global cluster as processes of this machine')
    .requiredOption('--data-dir <folder>', 'where instances keep their data')
    .option('--kubeconfig <file>', "the global cluster's kubeconfig; as kubectl finds it when absent")
    .action(async (options) => (await import('../operator.ts')).operator(options));
}

function logging(command: Command): Command {
  const level = new Option('--log-level <level>', 'the least that is written; info if not said otherwise');
  return command
    .addOption(new Option('--log-format <format>', 'how lines are written').choices(['json', 'text']).default('json'))
    .addOption(level.choices(['debug', 'info', 'warn', 'error']));
}
