/** JSON as Go writes it: characters that could end a script element are escaped. For annotations compared byte by byte. */
export function goJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
