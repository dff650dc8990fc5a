import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that shows an address to whoever sits here; undefined when nobody could see it. */
export function browserProgram(env: Environment, platform: NodeJS.Platform, isTerminal: boolean): string | undefined {
  if (env['BROWSER']) return env['BROWSER'];
  if (!isTerminal) return undefined;
  if (platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
}

/** Whether the reader's browser could be told to show an address. */
export async function openBrowser(address: string): Promise<boolean> {
  const program = browserProgram(process.env, process.platform, process.stderr.isTTY);
  if (program === undefined) return false;
  const browser = spawn(program, [address], { stdio: 'ignore', detached: true });
  browser.unref();
  return once(browser, 'spawn').then(
    () => true,
    () => false,
  );
}
