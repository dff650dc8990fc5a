import { DEFAULT_DIRECTORY } from '../up/default-directory.ts';
import { CommandFailure } from './failure.ts';

/** There is no platform where one was looked for. */
export function notRunning(dataDir: string, cause: unknown): CommandFailure {
  const isDefault = dataDir === DEFAULT_DIRECTORY;
  return new CommandFailure(isDefault ? 'no platform to speak to' : `no platform in ${dataDir}`, {
    why: isDefault
      ? 'you have not signed in to one, and none was started in this folder'
      : 'kairship up has not been started there',
    next: isDefault ? 'kairship up, or: kairship login URL' : 'kairship up, or name its folder with --data-dir',
    cause,
  });
}
