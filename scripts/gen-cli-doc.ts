/**
 * Makes `docs/cli.md` from the commands themselves: their help is the reference, and cannot say anything else.
 *
 *     npm run gen:cli-doc
 *
 * `gen-cli-doc.test.ts` checks the committed file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { CONNECTION } from '#cmd/cli/options.ts';
import { userCommands } from '#cmd/commands/index.ts';

const TARGET = join(import.meta.dirname, '../docs/cli.md');
const WIDTH = 100;

export function cliDocument(): string {
  const program = new Command('kairship').configureOutput({ getOutHelpWidth: () => WIDTH });
  userCommands(program);
  const groups = Map.groupBy(visible(program), (command) => command.helpGroup() || 'Start here:');
  return [
    '# The command line',
    '',
    'Made by `npm run gen:cli-doc` from the help of every command; do not edit. `kairship up` and the programs of the',
    'platform have their own `--help`.',
    '',
    'Data goes to stdout, everything else to stderr. Every list takes `-o json|yaml|wide|name|jsonpath=…`, `-w`, `-l` and',
    '`--limit`; nothing is asked without a terminal, `--yes` answers for scripts. Failures are three lines: what, why, what',
    'to run next.',
    '',
    '| Code | Means |',
    '| --- | --- |',
    ...[
      'it went well',
      'it did not',
      'the command line is wrong',
      'it is not there',
      'you may not',
      'time ran out; what is missing is listed',
      'it would disrupt what runs',
    ].map((meaning, code) => `| ${code} | ${meaning} |`),
    '',
    'Which platform is meant is found from the options below, then from the context one signed in to, then from the folder',
    '`.kairship` here. Every command that speaks to a platform understands:',
    '',
    ...CONNECTION.map(({ flags, description, env }) => `- \`${flags}\`: ${description}${env ? ` (\`${env}\`)` : ''}`),
    '',
    ...[...groups].flatMap(([title, commands]) => [`## ${title.replace(/:$/, '')}`, '', ...commands.flatMap(section)]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const visible = (command: Command) => command.commands.filter((each) => !each.name().startsWith('__'));

/** A command that only groups others is told of by them. */
function section(command: Command): string[] {
  const own = `### ${pathOf(command)}`;
  return [own, '', '```', helpOf(command), '```', '', ...visible(command).flatMap(section)];
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (more) => void (text += more), getOutHelpWidth: () => WIDTH });
  command.outputHelp();
  return text.trimEnd().replaceAll(/[ \t]+$/gm, '');
}

if (import.meta.main) writeFileSync(TARGET, cliDocument());
