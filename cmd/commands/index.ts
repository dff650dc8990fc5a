/**
 * Every command for people, in the order of `kairship --help`. Only their names and options are here: what a command
 * does is loaded when it is run.
 */
import type { Command } from 'commander';
import { HELP } from '../cli/help.ts';
import { changeCommands } from './change-commands.ts';
import { completionCommands } from './completion-commands.ts';
import { fleetCommands } from './fleet-commands.ts';
import { memberCommands } from './member-commands.ts';
import { peopleCommands } from './people-commands.ts';
import { overviewCommands, signInCommands, tokenCommand } from './sign-in-commands.ts';

const AFTER = `
kairship COMMAND --help has the options and examples of a command.
Ends with 0 if all went well, 1 if not, 2 for a wrong command line, 3 for what is not there, 4 for what you may not do,
5 if time ran out, 6 if it would disrupt what runs.`;

export function userCommands(program: Command): void {
  program.configureHelp(HELP);
  program.helpCommand(false).addHelpText('after', AFTER);
  signInCommands(program);
  overviewCommands(program);

  program.commandsGroup('Instances and clusters:');
  fleetCommands(program);

  program.commandsGroup('All clusters at once:');
  memberCommands(program);

  program.commandsGroup('Changes, and what comes of them:');
  changeCommands(program);

  program.commandsGroup('People and rights:');
  peopleCommands(program);
  tokenCommand(program);

  program.commandsGroup('This command:');
  completionCommands(program);
}
