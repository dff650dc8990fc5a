/** What a program calls itself, in as many words as somebody needs to recognise their own. Pure. */

/** The more particular first: most call themselves by the others' names as well. */
const PROGRAMS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Chrome · Linux`; what is none of these is told as it told itself. */
export function agentName(agent: string): string {
  const named = (among: typeof PROGRAMS | typeof SYSTEMS) => among.find(([pattern]) => pattern.test(agent))?.[1];
  const program = named(PROGRAMS);
  return program === undefined ? agent : [program, named(SYSTEMS)].filter(Boolean).join(' · ');
}
