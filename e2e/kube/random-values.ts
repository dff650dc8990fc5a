/** Values that fit a schema of OpenAPI v3, mostly: now and then one that a careless or a hostile client would send. */
import type { Random } from './random.ts';

export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

export type Schemas = Readonly<Record<string, OpenApiSchema>>;

/** How often a value is not what the schema asks for. */
const MISFIT = 0.03;
const DEEPEST = 7;

const TEXTS = [
  'a',
  'b-1',
  'web',
  'nginx:1.27',
  'x.example.com',
  'example.com/name',
  '10.0.0.1',
  'TCP',
  'Always',
  'Exists',
];
const ODD_TEXTS = [
  '',
  ' ',
  'UPPER',
  'a_b',
  '\u0000',
  '\ud800',
  'é',
  '{{',
  '${x}',
  '../..',
  'x'.repeat(300),
  '-1',
  '1e999',
  '__proto__',
];
const WORDS = ['name', 'spec', 'metadata', 'x', 'constructor', '$patch', '', 'a/b'];
const TIMES = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z', 'yesterday'];

export function randomValue(random: Random, schemas: Schemas, schema: OpenApiSchema, depth = 0): unknown {
  if (random.chance(MISFIT)) return misfit(random);
  const found = resolve(schemas, schema);
  if (found['x-kubernetes-int-or-string'] || found.format === 'int-or-string') {
    return random.pick([1, 0, '25%', '1', 'http', '100Mi']);
  }
  if (depth > DEEPEST) return undefined;
  switch (found.type) {
    case 'string':
      return text(random, found.format);
    case 'integer':
      return random.pick([0, 1, 2, 3, 80, 443, 600, -1, 2 ** 31]);
    case 'number':
      return random.pick([0, 0.5, 1]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: random.pick([0, 1, 1, 2]) }, () =>
        randomValue(random, schemas, found.items ?? {}, depth + 1),
      );
    default:
      return object(random, schemas, found, depth);
  }
}

function object(random: Random, schemas: Schemas, found: OpenApiSchema, depth: number): unknown {
  const value: Record<string, unknown> = {};
  const { additionalProperties: others } = found;
  if (typeof others === 'object') {
    for (let i = random.whole(3); i > 0; i--) {
      value[random.pick(TEXTS)] = randomValue(random, schemas, others, depth + 1);
    }
  }
  // Of wide types only a few fields at a time, or every object would be all of its alternatives at once.
  const names = Object.keys(found.properties ?? {});
  const share = Math.min(0.7, 5 / Math.max(1, names.length));
  for (const name of names) {
    if (!(found.required ?? []).includes(name) && !random.chance(share)) continue;
    value[name] = randomValue(random, schemas, found.properties?.[name] ?? {}, depth + 1);
  }
  if (random.chance(MISFIT)) value[random.pick(WORDS)] = misfit(random);
  return value;
}

/** The value with one thing in it replaced, somewhere its schema leads to. */
export function changed(random: Random, schemas: Schemas, schema: OpenApiSchema, value: unknown): unknown {
  const found = resolve(schemas, schema);
  if (Array.isArray(value) && value.length > 0) {
    const at = random.whole(value.length);
    return value.map((item: unknown, i) => (i === at ? changed(random, schemas, found.items ?? {}, item) : item));
  }
  const names = Object.keys(found.properties ?? {});
  if (names.length === 0 || random.chance(0.02)) return randomValue(random, schemas, schema);
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const present = Object.keys(object).filter((name) => names.includes(name));
  const name = random.pick(present.length > 0 && random.chance(0.6) ? present : names);
  const inner = (object as Record<string, unknown>)[name];
  return { ...object, [name]: changed(random, schemas, found.properties?.[name] ?? {}, inner) };
}

export function misfit(random: Random): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => random.pick(ODD_TEXTS),
    () => [],
    () => ({}),
    () => [[[]]],
    () => true,
    () => -1,
    () => 1.5,
    () => 2 ** 53,
    () => ({ [random.pick(WORDS)]: random.pick(ODD_TEXTS) }),
  ])();
}

function text(random: Random, format: string | undefined): string {
  if (format === 'date-time') return random.pick(TIMES);
  if (format === 'byte') return random.pick(['', 'YQ==', 'not base64']);
  return random.chance(0.1) ? random.pick(ODD_TEXTS) : random.pick(TEXTS);
}

function resolve(schemas: Schemas, schema: OpenApiSchema): OpenApiSchema {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref === undefined ? schema : (schemas[ref.slice('#/components/schemas/'.length)] ?? {});
}
