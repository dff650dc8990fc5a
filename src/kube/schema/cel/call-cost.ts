/**
 * What a call costs at most beside its arguments, and how large its result can be. The numbers are those of cel-go's
 * checker/cost.go and of k8s.io/apiserver/pkg/cel/library/cost.go, by function and types of the arguments.
 */
import { fixed, multiply, type Node, product, scaled, type Size, sum, UNKNOWN } from './cost-size.ts';
import { isDyn, sameType, type Type } from './type.ts';

export interface CallCost {
  readonly most: number;
  readonly result?: Size;
}

export interface CallParts {
  readonly name: string;
  readonly isMember: boolean;
  /** The receiver first, where there is one. */
  readonly parts: readonly Node[];
}

/** For each character that is looked at. */
const CHARACTER = 0.1;
/** For each character of a pattern. */
const PATTERN = 0.25;
const NAME_PATTERN_SIZE = 128;
const LONGEST_FORMAT = 64;
const ONE: CallCost = { most: 1 };

const through = ({ max }: Size, factor = CHARACTER) => scaled(max, factor);

export function callCost({ name, isMember, parts }: CallParts): CallCost {
  const [first, second] = parts;
  if (!first) return ONE;
  const rule = RULES[name];
  if (rule) return rule(first, parts.slice(1), isMember);
  if (COMPARISONS.has(name) && second) return comparison(name, first, second);
  return ONE;
}

type Rule = (first: Node, rest: readonly Node[], isMember: boolean) => CallCost;

const traversed: Rule = ({ size }) => ({ most: through(size) });
const rewritten: Rule = ({ size }) => ({ most: through(size), result: size });

/** Compares each item of a list, and each character of items that are texts; or goes through a text. */
const items: Rule = ({ type, size, item }) => {
  if (type.kind !== 'list') return { most: through(size) };
  const each = isText(type.of) ? 1 + through(item ?? UNKNOWN) : 1;
  return { most: multiply(size.max, each) };
};

const prefix: Rule = (_text, [part]) => ({ most: through(part?.size ?? UNKNOWN) });

function pattern({ size }: Node, [regexp]: readonly Node[]): number {
  return multiply(through(sum(size, fixed(1))), through(regexp?.size ?? UNKNOWN, PATTERN));
}

const found: Rule = (text, rest) => ({ most: pattern(text, rest), result: { min: 0, max: text.size.max } });

const sets =
  (factor: number): Rule =>
  ({ size }, [other]) => ({ most: through(product(size, other?.size ?? UNKNOWN), factor) + 1 });

/** Of addresses, which are 16 bytes at most; a text is read first. */
const contains =
  (base: number): Rule =>
  (_range, [other]) => ({ most: base + (other && isText(other.type) ? through(other.size) : 0) });

const RULES: Readonly<Record<string, Rule>> = {
  '_+_': added,
  '@in': (_item, [within]) => ({ most: within?.type.kind === 'map' ? 1 : (within?.size.max ?? 1) }),
  isSorted: items,
  sum: items,
  max: items,
  min: items,
  indexOf: items,
  lastIndexOf: items,
  url: rewritten,
  'jsonpatch.escapeKey': rewritten,
  lowerAscii: rewritten,
  upperAscii: rewritten,
  substring: rewritten,
  trim: rewritten,
  replace: replaced,
  split: splitted,
  join: joined,
  find: found,
  findAll: found,
  matches: (text, rest) => ({ most: pattern(text, rest) }),
  contains: ({ size }, [part]) => ({ most: multiply(through(size), through(part?.size ?? UNKNOWN)) }),
  startsWith: prefix,
  endsWith: prefix,
  format: traversed,
  bytes: ({ type, size }) =>
    isText(type) ? { most: through(size), result: { min: size.min, max: size.max * 4 } } : ONE,
  string: ({ type, size }) => (isNamed(type, 'bytes') ? rewritten({ type, size } as Node, [], false) : ONE),
  cidr: traversed,
  isIP: traversed,
  isCIDR: traversed,
  ip: (text, rest, isMember) => (isMember ? ONE : traversed(text, rest, isMember)),
  'ip.isCanonical': ({ size }) => ({ most: through(size, 2 * CHARACTER) }),
  containsIP: contains(4),
  containsCIDR: contains(7),
  quantity: traversed,
  isQuantity: traversed,
  semver: traversed,
  isSemver: traversed,
  validate: (_format, [text]) => ({ most: scaled(through(text?.size ?? UNKNOWN), NAME_PATTERN_SIZE * PATTERN) }),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
};

function added(first: Node, [second]: readonly Node[]): CallCost {
  const result = sum(first.size, second?.size ?? UNKNOWN);
  const isOne = (check: (type: Type) => boolean) => check(first.type) || (second !== undefined && check(second.type));
  if (isOne(isText) || (isDyn(first.type) && (!second || isDyn(second.type)))) return { most: through(result), result };
  return isOne(({ kind }) => kind === 'list') ? { most: 1, result } : ONE;
}

/** As long as it becomes when the shortest texts are replaced by the longest. */
function replaced({ size }: Node, [from, to]: readonly Node[]): CallCost {
  const [old, fresh] = [from?.size ?? UNKNOWN, to?.size ?? UNKNOWN];
  let max = size.max;
  if (old.min === 0) max = multiply(size.max + 1, fresh.max) + size.max;
  else if (fresh.max > old.min) max = multiply(Math.ceil(size.max / old.min), fresh.max);
  return { most: through(size, 2 * CHARACTER), result: { min: 0, max } };
}

function splitted({ size }: Node, [, limit]: readonly Node[]): CallCost {
  const literal = limit?.expression.kind === 'literal' ? limit.expression.value : undefined;
  const max = typeof literal === 'bigint' && literal >= 0n ? Number(literal) : size.max;
  return { most: through(size, 2 * CHARACTER), result: { min: 0, max } };
}

function joined({ size, item }: Node, [separator]: readonly Node[]): CallCost {
  const texts = product(size, item ?? UNKNOWN);
  const between = { min: Math.max(size.min - 1, 0), max: Math.max(size.max - 1, 0) };
  const result = separator ? sum(texts, product(separator.size, between)) : texts;
  return { most: through(result), result };
}

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** Both are gone through until the shorter one ends. */
function comparison(name: string, a: Node, b: Node): CallCost {
  const isEquality = name === '_==_' || name === '_!=_';
  const special = name === '_==_' && sameType(a.type, b.type) ? opaqueEquality(a.type, b.size) : undefined;
  if (special !== undefined) return { most: special };
  const most = scaled(Math.min(a.size.max, b.size.max), CHARACTER);
  if (isEquality) return { most };
  if (isText(a.type) || isText(b.type)) return { most };
  return isDyn(a.type) || isDyn(b.type) ? { most: Math.max(most, 1) } : ONE;
}

function opaqueEquality(type: Type, size: Size): number | undefined {
  if (type.kind !== 'simple') return undefined;
  switch (type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return 1;
    case 'kubernetes.NamedFormat':
      return scaled(LONGEST_FORMAT, CHARACTER);
    case 'kubernetes.URL':
      return scaled(size.max, CHARACTER);
    default:
      return undefined;
  }
}

function isText(type: Type): boolean {
  return isNamed(type, 'string') || isNamed(type, 'bytes');
}

function isNamed(type: Type, name: string): boolean {
  return type.kind === 'simple' && type.name === name;
}
