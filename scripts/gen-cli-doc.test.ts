import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { agentCommand } from '#cmd/agent-command.ts';
import { userCommands } from '#cmd/commands/index.ts';
import { readDocument } from '../e2e/docs/read-document.ts';
import { cliDocument } from './gen-cli-doc.ts';

const ROOT = join(import.meta.dirname, '..');

describe('documents about the command line', () => {
  it('the reference says what the commands say; npm run gen:cli-doc writes it anew', () => {
    assert.equal(readFileSync(join(ROOT, 'docs/cli.md'), 'utf8'), cliDocument());
  });

  for (const file of globSync('docs/guide/*.md', { cwd: ROOT }))
    it(`${file} names only commands, options and arguments that there are`, () => {
      for (const line of commandLines(readFileSync(join(ROOT, file), 'utf8'))) assert.equal(problemOf(line), '', line);
    });
});

/** What a reader would type, without remarks and without what goes to a file or comes from one. */
function commandLines(text: string): readonly string[] {
  return readDocument(text)
    .flatMap(({ commands }) => commands.map((command) => command.text))
    .filter((line) => line.startsWith('kairship '))
    .map((line) => line.replace(/\s(#|>|<|\|\||&)[^]*$/, ''));
}

function problemOf(line: string): string {
  const program = new Command('kairship');
  // Programs of the platform have their own help.
  for (const name of ['up', 'member']) program.command(name).allowUnknownOption().allowExcessArguments();
  agentCommand(program.command('agent'));
  userCommands(program);
  let command = program;
  const words = [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word).slice(1);
  for (let next = named(command, words[0]); next; next = named(command, words[0])) {
    command = next;
    words.shift();
  }
  if (command === program) return 'no such command';
  if (['up', 'member'].includes(command.name())) return '';
  const { operands, unknown } = command.parseOptions(words);
  if (unknown.length > 0) return `no such option: ${unknown.join(' ')}`;
  const least = command.registeredArguments.filter(({ required }) => required).length;
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length;
  return operands.length < least || operands.length > most ? `${operands.length} arguments` : '';
}

const named = (command: Command, word: string | undefined) => command.commands.find((each) => each.name() === word);
