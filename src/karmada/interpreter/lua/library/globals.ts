/** The world of a script: what it finds under global names. Every run gets its own, so that none sees another's. */
import { type LuaFunction, LuaTable, type LuaValue, type Meter } from '../language/index.ts';
import { functionOf, functionsOf, type Library } from './arguments.ts';
import { BASE } from './base.ts';
import { KUBE } from './kube.ts';
import { MATH, MATH_CONSTANTS } from './math.ts';
import { OS } from './os.ts';
import { STRING } from './string.ts';
import { TABLE } from './table.ts';

type Entries = ReadonlyMap<LuaValue, LuaValue>;

function entriesOf(library: Library, constants: Readonly<Record<string, number>> = {}): Entries {
  return new Map<LuaValue, LuaValue>([...functionsOf(library), ...Object.entries(constants)]);
}

const BASE_ENTRIES = entriesOf(BASE);
const MODULES: Readonly<Record<string, Entries>> = {
  string: entriesOf(STRING),
  table: entriesOf(TABLE),
  math: entriesOf(MATH, MATH_CONSTANTS),
  os: entriesOf(OS),
};
const KUBE_ENTRIES = entriesOf(KUBE);

/** What is there before the script begins costs it nothing. */
const FREE: Meter = { charge: () => undefined };

export function globals(): LuaTable {
  const table = new LuaTable(BASE_ENTRIES);
  const loaded = new LuaTable();
  for (const [name, entries] of Object.entries(MODULES)) {
    const module = new LuaTable(entries);
    table.set(name, module, FREE);
    loaded.set(name, module, FREE);
  }
  const packages = new LuaTable();
  packages.set('loaded', loaded, FREE);
  packages.set('preload', new LuaTable(), FREE);
  table.set('package', packages, FREE);
  table.set('require', requireFrom(loaded), FREE);
  table.set('_G', table, FREE);
  table.set('_VERSION', 'Lua 5.1', FREE);
  return table;
}

/** Modules come from this program alone: there is no path that a script could be loaded from. */
function requireFrom(loaded: LuaTable): LuaFunction {
  return functionOf('require', (args, run) => {
    const name = args.string(1);
    if (name === 'kube' && loaded.field(name) === undefined) loaded.set(name, new LuaTable(KUBE_ENTRIES), FREE);
    const module = loaded.field(name);
    if (module !== undefined) return module;
    throw run.error(`module ${name} not found:\n\tno field package.preload['${name}'], `);
  });
}
