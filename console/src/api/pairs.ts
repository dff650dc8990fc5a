/** Labels and the like, as people write them: `key=value`. Pure. */
export function pairsOf(map: Readonly<Record<string, string>> | undefined): string[] {
  return Object.entries(map ?? {}).map(([key, value]) => `${key}=${value}`);
}

/** The value is all that follows the first `=`; the last of several with the same key counts. */
export function mapOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** A request to the platform from a terminal, for what no command does. */
export function curl(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): string {
  const said = body === undefined ? '' : ` -d '${JSON.stringify(body)}'`;
  return `curl -X ${method} ${globalThis.location?.origin ?? ''}${path} -H "authorization: Bearer $TOKEN"${said}`;
}
