/** A shell at a terminal: it greets, prompts, and runs what is typed until `exit` or Ctrl-D. */
import { write } from './io.ts';
import type { Process } from './programs.ts';
import { shell } from './shell.ts';
import type { Terminal } from './terminal.ts';

const GREETING =
  'This container is simulated: there is no program behind it. Try: cat cd date echo env hostname ls pwd sleep whoami\n';

export const isInteractive = ([path = '', ...args]: readonly string[]): boolean =>
  /^(?:.*\/)?(?:ba|a|da)?sh$/.test(path) && !args.some((arg) => /^-[a-z]*c$/.test(arg));

export async function interactiveShell(at: Terminal, process: Process): Promise<number> {
  const own = shell(process);
  let code = 0;
  let running: AbortController | undefined;
  at.onInterrupt(() => (running ? running.abort() : void prompt()));
  const prompt = () => write(process.stdout, `${own.workingDir()} # `);
  await write(process.stdout, GREETING);
  while (!process.signal.aborted) {
    await prompt();
    const line = await at.next();
    if (!line) {
      await write(process.stdout, 'exit\n');
      return code;
    }
    running = new AbortController();
    const result = await own.run(line.toString(), AbortSignal.any([process.signal, running.signal]));
    running = undefined;
    code = result.code;
    if (result.exits) return code;
  }
  return code;
}
