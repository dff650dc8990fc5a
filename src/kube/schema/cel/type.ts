/**
 * The types of CEL: what a checker knows of an expression before it is evaluated.
 *
 * Types of one name are compared by it; lists, maps and optionals by their parts. `dyn` fits everything, and a type
 * parameter (`T`) fits whatever it first meets in a signature.
 */

export type Type =
  | { readonly kind: 'simple'; readonly name: SimpleName }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly of: Type }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'object'; readonly name: string; field(name: string): Type | undefined }
  | { readonly kind: 'type'; readonly of: Type }
  | { readonly kind: 'param'; readonly name: string };

export type SimpleName =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'error'
  | 'timestamp'
  | 'duration'
  | OpaqueName;

/** Types of the Kubernetes libraries. */
export type OpaqueName =
  | 'kubernetes.URL'
  | 'kubernetes.Quantity'
  | 'kubernetes.NamedFormat'
  | 'kubernetes.Semver'
  | 'net.IP'
  | 'net.CIDR';

export function simple(name: SimpleName): Type {
  return { kind: 'simple', name };
}
export function listOf(of: Type): Type {
  return { kind: 'list', of };
}
export function mapOf(key: Type, of: Type): Type {
  return { kind: 'map', key, of };
}
export function optionalOf(of: Type): Type {
  return { kind: 'optional', of };
}
export function param(name: string): Type {
  return { kind: 'param', name };
}

export const DYN = simple('dyn');
export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');
/** The type of what could not be checked: it fits everywhere, so that one mistake is told once. */
export const UNCHECKED = simple('error');

/** As cel-go writes types in messages. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'simple':
    case 'object':
    case 'param':
      return type.name;
    case 'list':
      return `list(${formatType(type.of)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.of)})`;
    case 'optional':
      return `optional_type(${formatType(type.of)})`;
    case 'type':
      return `type(${formatType(type.of)})`;
  }
}

/** What the type parameters of a signature stand for in one call. */
export type Bindings = Map<string, Type>;

/** Whether a value of type `given` can stand where `wanted` is asked for. */
export function fits(wanted: Type, given: Type, bindings: Bindings): boolean {
  if (isDyn(wanted) || isDyn(given)) return true;
  if (wanted.kind === 'param') return bind(wanted.name, given, bindings);
  if (given.kind === 'param') return bind(given.name, wanted, bindings);
  if (wanted.kind !== given.kind) return isNullable(wanted, given);
  switch (wanted.kind) {
    case 'simple':
    case 'object':
      return wanted.name === (given as typeof wanted).name;
    case 'map': {
      const other = given as typeof wanted;
      return fits(wanted.key, other.key, bindings) && fits(wanted.of, other.of, bindings);
    }
    case 'list':
    case 'optional':
      return fits(wanted.of, (given as typeof wanted).of, bindings);
    case 'type':
      return true;
  }
}

function isNullable(a: Type, b: Type): boolean {
  const isNull = (type: Type) => type.kind === 'simple' && type.name === 'null';
  return (isNull(a) && b.kind === 'object') || (isNull(b) && a.kind === 'object');
}

function bind(name: string, type: Type, bindings: Bindings): boolean {
  const bound = bindings.get(name);
  if (!bound) {
    bindings.set(name, type);
    return true;
  }
  if (bound.kind === 'param' && bound.name === name) return true;
  if (!fits(bound, type, bindings)) return false;
  // Of an empty list and a list of something, the latter says more.
  if (!isDyn(bound) && !mentionsParam(bound)) return true;
  bindings.set(name, isDyn(bound) ? bound : type);
  return true;
}

function mentionsParam(type: Type): boolean {
  if (type.kind === 'param') return true;
  if (type.kind === 'map') return mentionsParam(type.key) || mentionsParam(type.of);
  return 'of' in type && mentionsParam(type.of);
}

/** The type with its parameters replaced; those that met nothing may be anything. */
export function substitute(type: Type, bindings: Bindings): Type {
  switch (type.kind) {
    case 'param': {
      const bound = bindings.get(type.name);
      return bound && bound !== type && !(bound.kind === 'param' && bound.name === type.name)
        ? substitute(bound, bindings)
        : DYN;
    }
    case 'list':
      return listOf(substitute(type.of, bindings));
    case 'type':
      return { kind: 'type', of: substitute(type.of, bindings) };
    case 'optional':
      return optionalOf(substitute(type.of, bindings));
    case 'map':
      return mapOf(substitute(type.key, bindings), substitute(type.of, bindings));
    default:
      return type;
  }
}

export function isDyn(type: Type): boolean {
  return type.kind === 'simple' && (type.name === 'dyn' || type.name === 'error');
}

/** Whether nothing about the type is left open until evaluation. */
export function isStatic(type: Type): boolean {
  if (isDyn(type) || type.kind === 'param') return false;
  if (type.kind === 'map') return isStatic(type.key) && isStatic(type.of);
  return type.kind === 'object' || type.kind === 'type' || !('of' in type) || isStatic(type.of);
}

export function sameType(a: Type, b: Type): boolean {
  return formatType(a) === formatType(b);
}
