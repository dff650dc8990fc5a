/** `npm run bench -- NAME …`: runs one benchmark, `bench/NAME.ts`. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';

const [name = '', ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || name === 'run' || !existsSync(file)) {
  const names = globSync('*.ts', { cwd: import.meta.dirname }).map((found) => basename(found, '.ts'));
  console.error(`Say which: ${names.filter((each) => each !== 'run').join(', ')}`);
  process.exit(1);
}
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1);
