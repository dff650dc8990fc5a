/** English. Keys say where a text stands and what it says; every key is in the other languages, too, which a test holds. */
import { access } from './en/access.ts';
import { engine } from './en/engine.ts';
import { instance } from './en/instance.ts';
import { placement } from './en/placement.ts';
import { platform } from './en/platform.ts';
import { shell } from './en/shell.ts';
import { workload } from './en/workload.ts';

export const en = {
  ...shell,
  ...platform,
  ...access,
  ...instance,
  ...workload,
  ...placement,
  ...engine,
} as const;
