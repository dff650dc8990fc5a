/** How help reads. */
import { Help, type HelpConfiguration } from 'commander';

const PLAIN_DEFAULT = /(?:, )?default: (?:\[\]|false|"")/;

export const HELP: HelpConfiguration = {
  // The options of a command are in its own help; here they would only be noise.
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`)),
    ].join(' '),
  // That something is off, empty or not there when nobody says so needs no words.
  optionDescription: (option) =>
    new Help()
      .optionDescription(option)
      .replace(PLAIN_DEFAULT, '')
      .replace('(, ', '(')
      .replace(/ \(\)$/, ''),
};
