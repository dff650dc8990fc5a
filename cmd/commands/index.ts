/**
 * Every command for people, in the order of `kairship --help`. Only their names and options are here: what a command
 * does is loaded when it is run.
 */
import type { Command } from 'commander';
import { changeCommands } from './change-commands.ts';
import { fleetCommands } from './fleet-commands.ts';
import { memberCommands } from './member-commands.ts';
import { overviewCommands, signInCommands, tokenCommand } from './sign-in-commands.ts';

export function userCommands(program: Command): void {
  signInCommands(program);
  overviewCommands(program);

  program.commandsGroup('Instances and clusters:');
  fleetCommands(program);

  program.commandsGroup('All clusters at once:');
  memberCommands(program);

  program.commandsGroup('Changes, and what comes of them:');
  changeCommands(program);

  program.commandsGroup('People and rights:');
  tokenCommand(program);
}
