/** The token a paged list is continued with: the moment of its first page, and the last key it showed. */
import { badRequest } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';

export interface Continuation {
  /** -1: the moment was forgotten and the client accepts what is there now. */
  readonly revision: number;
  /** The key after which the next page starts. */
  readonly after: string;
}

const VERSION = 'meta.k8s.io/v1';

/** `namespace` is that of the list: its tokens name objects relative to it, with a leading slash. */
export function encodeContinue({ revision, after }: Continuation, namespace: string | undefined): string {
  const start = namespace === undefined ? after : after.slice(namespace.length);
  const text = JSON.stringify({ v: VERSION, rv: revision, start: `${start}\u0000` });
  return Buffer.from(text).toString('base64url');
}

export function decodeContinue(token: string, namespace: string | undefined): Continuation {
  const { v, rv, start } = parse(token);
  if (v !== VERSION) throw invalidToken('server does not recognize this encoded version ' + JSON.stringify(v ?? ''));
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw invalidToken('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  if (typeof start !== 'string' || start === '') throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  return { revision: rv, after: `${namespace ?? ''}${start.replace(/\0$/, '')}` };
}

function parse(token: string): Record<string, unknown> {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // What is no JSON is told below, as what is no object.
  }
  const found =
    text === '' ? 'unexpected end of JSON input' : `invalid character '${text[0]}' looking for beginning of value`;
  throw invalidToken(found);
}

function invalidToken(why: string) {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
