/**
 * Who may import whom. The rooms and the arrows between them are ARCHITECTURE.md's; an edge outside of them fails here
 * and is printed, so that a wall is only ever moved on purpose.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = resolve(import.meta.dirname, '..');

/** Each room and the rooms it may import, itself always included. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  gen: ['base'],
  rpc: ['base', 'gen'],
  kube: ['base', 'gen'],
  karmada: ['base', 'gen', 'kube'],
  kpanda: ['base', 'gen', 'rpc', 'kube'],
  ghippo: ['base', 'gen', 'rpc', 'kube'],
  members: ['base', 'gen', 'kube'],
  agent: ['base', 'gen', 'kube', 'karmada'],
  kairship: ['base', 'gen', 'rpc', 'kube', 'kpanda', 'ghippo', 'karmada/apis'],
  console: ['gen'],
  cmd: ['base', 'gen', 'rpc', 'kube', 'karmada', 'agent', 'kpanda', 'ghippo', 'members', 'kairship'],
};

/** Finer walls inside a room: [importer, imported, the only parts allowed across]. */
const WALLS: readonly { from: RegExp; to: RegExp; except: RegExp; why: string }[] = [
  {
    from: /^kairship\//,
    to: /^kube\/client\/(http-client|load-config|transport)/,
    except: /^kairship\/proxy\//,
    why: 'only the proxy connects to an instance',
  },
  {
    from: /^kairship\//,
    to: /^kpanda\/index/,
    except: /^kairship\/read\//,
    why: 'only read/ imports the index, so that reads and writes cannot be mixed by accident',
  },
];

interface Edge {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

function edges(): Edge[] {
  const files = globSync(['src/**/*.ts', 'cmd/**/*.ts', 'gen/**/*.ts', 'console/src/**/*.{ts,tsx}'], { cwd: ROOT });
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const specifiers = source.matchAll(/(?:from|import\(|import)\s*['"]([#.][^'"]+)['"]/g);
      return Array.from(specifiers, ([, specifier = '']) => ({
        file,
        from: place(file),
        to: place(target(file, specifier)),
      }));
    });
}

function target(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
  const [alias = '', ...rest] = specifier.slice(1).split('/');
  const folder = alias === 'gen' || alias === 'cmd' ? alias : `src/${alias}`;
  return [folder, ...rest].join('/');
}

/** A path within its room: `src/kube/store/store.ts` is `kube/store/store.ts`. */
function place(path: string): string {
  return path.startsWith('src/') ? path.slice('src/'.length) : path;
}

const roomOf = (path: string) => path.split('/')[0] ?? '';

describe('import rules', () => {
  it('every import follows an arrow of ARCHITECTURE.md', () => {
    const wrong = edges().filter(({ from, to }) => {
      const room = roomOf(from);
      if (room === roomOf(to)) return false;
      const allowed = MAY_IMPORT[room] ?? [];
      return !allowed.some((other) => to === other || to.startsWith(`${other}/`));
    });
    assert.deepEqual(
      wrong.map(({ file, to }) => `${file} → ${to}`),
      [],
    );
  });

  for (const { from, to, except, why } of WALLS) {
    it(why, () => {
      const wrong = edges().filter((edge) => from.test(edge.from) && to.test(edge.to) && !except.test(edge.from));
      assert.deepEqual(
        wrong.map(({ file, to: imported }) => `${file} → ${imported}`),
        [],
      );
    });
  }
});
