/** Completion, and the options that every command understands. */
import { Argument, type Command } from 'commander';
import { CONNECTION } from '../cli/options.ts';

export function completionCommands(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .description('what a shell needs to complete commands and names')
    .addHelpText(
      'after',
      `
Examples:
  source <(kairship completion bash)
  kairship completion zsh > "\${fpath[1]}/_kairship"
  kairship completion fish | source

Names are asked of the server for at most 2 seconds; KAIRSHIP_COMPLETION_TIMEOUT says otherwise.`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => (await import('./completion.ts')).completion(shell));

  program
    .command('options')
    .description('the options that every command understands')
    .action(() => {
      const width = Math.max(...CONNECTION.map(({ flags }) => flags.length));
      const lines = CONNECTION.map(
        ({ flags, description, env }) => `  ${flags.padEnd(width)}  ${description}${env ? ` (or ${env})` : ''}`,
      );
      process.stdout.write(`Understood by every command that speaks to a platform:\n${lines.join('\n')}\n`);
    });

  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[]) => (await import('./completion.ts')).complete(program, words));
}
