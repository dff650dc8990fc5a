/** Kubernetes quantities and semantic versions. */
import {
  addQuantities,
  compareQuantities,
  quantityOf,
  quantityValue,
  type Quantity,
  subtractQuantities,
  tryParseQuantity,
} from '#kube/meta/quantity.ts';
import { CelError } from '../cel-error.ts';
import { global, member, type Overload, T } from '../function.ts';
import type { Semver } from '../value.ts';

type QuantityValue = { readonly cel: 'kubernetes.Quantity'; readonly quantity: Quantity };

function quantity(amount: Quantity): QuantityValue {
  return { cel: 'kubernetes.Quantity', quantity: amount };
}

function parse(text: string): QuantityValue {
  const parsed = tryParseQuantity(text);
  if (!parsed) {
    const shape = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;
    throw new CelError(/^[+-]?[\d.]+[eEinumkKMGTP]*[-+]?\d*$/.test(text) ? `unable to parse quantity's suffix` : shape);
  }
  return quantity(parsed);
}

function isWhole({ nanos }: Quantity): boolean {
  const units = nanos / 1_000_000_000n;
  return nanos % 1_000_000_000n === 0n && units >= -(2n ** 63n) && units < 2n ** 63n;
}

const QUANTITY: readonly Overload[] = [
  global('quantity', [T.string], T.quantity, parse),
  global('isQuantity', [T.string], T.bool, (text) => tryParseQuantity(text) !== undefined),
  global('sign', [T.quantity], T.int, ({ quantity: { nanos } }) => (nanos < 0n ? -1n : nanos > 0n ? 1n : 0n)),
  member('isInteger', [T.quantity], T.bool, ({ quantity }) => isWhole(quantity)),
  member('asInteger', [T.quantity], T.int, ({ quantity }) => {
    if (!isWhole(quantity)) throw new CelError('cannot convert value to integer');
    return quantity.nanos / 1_000_000_000n;
  }),
  member('asApproximateFloat', [T.quantity], T.double, ({ quantity }) =>
    isWhole(quantity) ? quantityValue(quantity) : Number(quantity.nanos) / 1e9,
  ),
  member('isGreaterThan', [T.quantity, T.quantity], T.bool, (a, b) => compareQuantities(a.quantity, b.quantity) > 0),
  member('isLessThan', [T.quantity, T.quantity], T.bool, (a, b) => compareQuantities(a.quantity, b.quantity) < 0),
  member('compareTo', [T.quantity, T.quantity], T.int, (a, b) => BigInt(compareQuantities(a.quantity, b.quantity))),
  member('add', [T.quantity, T.quantity], T.quantity, (a, b) => quantity(addQuantities(a.quantity, b.quantity))),
  member('add', [T.quantity, T.int], T.quantity, (a, b) => quantity(addQuantities(a.quantity, quantityOf(b)))),
  member('sub', [T.quantity, T.quantity], T.quantity, (a, b) => quantity(subtractQuantities(a.quantity, b.quantity))),
  member('sub', [T.quantity, T.int], T.quantity, (a, b) => quantity(subtractQuantities(a.quantity, quantityOf(b)))),
];

const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

function parseSemver(text: string): Semver | undefined {
  const match = SEMVER.exec(text);
  if (!match) return undefined;
  const [, major = '', minor = '', patch = '', pre, build] = match;
  return {
    core: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre: pre?.split('.') ?? [],
    build: build?.split('.') ?? [],
  };
}

/** `v1.2` becomes `1.2.0`: what people write for a version. */
function normalized(text: string): string {
  const bare = text.replace(/^v/, '');
  const cut = bare.search(/[-+]/);
  const core = cut < 0 ? bare : bare.slice(0, cut);
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + (cut < 0 ? '' : bare.slice(cut));
}

function semver(text: string, normalize: boolean): { cel: 'kubernetes.Semver'; version: Semver; text: string } {
  const version = parseSemver(normalize ? normalized(text) : text);
  if (!version) throw new CelError(semverProblem(text));
  return { cel: 'kubernetes.Semver', version, text: semverText(version) };
}

function semverProblem(text: string): string {
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const bad = parts.slice(0, 3).find((part) => !/^\d+/.test(part));
  return bad === undefined
    ? `Invalid semantic version ${JSON.stringify(text)}`
    : `Invalid character(s) found in number ${JSON.stringify(bad)}`;
}

/** Builds do not count in comparisons. */
function semverText({ core, pre }: Semver): string {
  return core.join('.') + (pre.length === 0 ? '' : `-${pre.join('.')}`);
}

function compareSemver(a: Semver, b: Semver): number {
  for (const [index, part] of a.core.entries()) {
    const other = b.core[index] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index++) {
    const order = comparePre(a.pre[index], b.pre[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePre(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(BigInt(a) - BigInt(b) < 0n ? -1 : BigInt(a) > BigInt(b));
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const SEMVERS: readonly Overload[] = [
  global('semver', [T.string], T.semver, (text) => semver(text, false)),
  global('semver', [T.string, T.bool], T.semver, semver),
  global('isSemver', [T.string], T.bool, (text) => parseSemver(text) !== undefined),
  global(
    'isSemver',
    [T.string, T.bool],
    T.bool,
    (text, normalize) => parseSemver(normalize ? normalized(text) : text) !== undefined,
  ),
  member('major', [T.semver], T.int, ({ version }) => version.core[0]),
  member('minor', [T.semver], T.int, ({ version }) => version.core[1]),
  member('patch', [T.semver], T.int, ({ version }) => version.core[2]),
  member('isGreaterThan', [T.semver, T.semver], T.bool, (a, b) => compareSemver(a.version, b.version) > 0),
  member('isLessThan', [T.semver, T.semver], T.bool, (a, b) => compareSemver(a.version, b.version) < 0),
  member('compareTo', [T.semver, T.semver], T.int, (a, b) => BigInt(compareSemver(a.version, b.version))),
];

export const QUANTITIES: readonly Overload[] = [...QUANTITY, ...SEMVERS];
