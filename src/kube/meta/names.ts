/**
 * The formats of names, labels and keys, each a function from a value to its problems: no problem, valid value.
 *
 * The sentences are Kubernetes' own, the regular expression and examples included, because people search for them.
 */
const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const WILDCARD_SUBDOMAIN = `\\*\\.${DNS_SUBDOMAIN}`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const HEADER_NAME = '[-A-Za-z0-9]+';
const PERCENT = '[0-9]+%';
const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';

const ALPHANUMERIC_ENDS = 'and must start and end with an alphanumeric character';
const QUALIFIED_RULE = `must consist of alphanumeric characters, '-', '_' or '.', ${ALPHANUMERIC_ENDS}`;
const QUALIFIED_EXAMPLES = ['MyName', 'my.name', '123-abc'];

const NONE: readonly string[] = [];

/** `a rule (e.g. 'x',  or 'y', regex used for validation is '…')`: the odd double space is part of the protocol. */
function regexProblem(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.length === 0 ? '' : `e.g. ${examples.map((example) => `'${example}', `).join(' or ')}`;
  return `${rule} (${shown}regex used for validation is '${pattern}')`;
}

interface Format {
  readonly pattern: string;
  readonly max?: number;
  /** What the longest is counted in. */
  readonly unit?: 'characters' | 'bytes';
  readonly rule: string;
  readonly examples: readonly string[];
}

function checker({
  pattern,
  max = Infinity,
  unit = 'characters',
  rule,
  examples,
}: Format): (value: string) => readonly string[] {
  const regex = new RegExp(`^${pattern}$`);
  const problem = regexProblem(rule, pattern, ...examples);
  return (value) => {
    const fits = value.length <= max;
    const matches = regex.test(value);
    if (fits && matches) return NONE;
    return [...(fits ? [] : [maxLengthProblem(max, unit)]), ...(matches ? [] : [problem])];
  };
}

export function maxLengthProblem(max: number, unit = 'characters'): string {
  return `must be no more than ${max} ${unit}`;
}

export function rangeProblem(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** Most objects' names. */
export const dnsSubdomainProblems = checker({
  pattern: DNS_SUBDOMAIN,
  max: 253,
  rule: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ALPHANUMERIC_ENDS}`,
  examples: ['example.com'],
});

const dnsLabelFormat = checker({
  pattern: DNS_LABEL,
  max: 63,
  rule: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ALPHANUMERIC_ENDS}`,
  examples: ['my-name', '123-abc'],
});

const SUBDOMAIN_REGEX = new RegExp(`^${DNS_SUBDOMAIN}$`);

/** Namespaces, containers, volumes and whatever else becomes one part of a host name. */
export function dnsLabelProblems(value: string): readonly string[] {
  const problems = dnsLabelFormat(value);
  // A valid subdomain that is no label can only differ by its dots, and saying that is kinder.
  if (!value.includes('.') || !SUBDOMAIN_REGEX.test(value)) return problems;
  return problems.map((problem) => (problem.startsWith('a lowercase') ? 'must not contain dots' : problem));
}

/** Services: labels that must begin with a letter. */
export const dns1035LabelProblems = checker({
  pattern: DNS_1035_LABEL,
  max: 63,
  rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
});

/** Hosts of an Ingress that begin with `*.`. */
export const wildcardSubdomainProblems = checker({
  pattern: WILDCARD_SUBDOMAIN,
  max: 253,
  rule: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
});

/** Names that need only survive in a URL: RBAC objects, events of old. */
export function pathSegmentProblems(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((char) => value.includes(char)).map((char) => `may not contain '${char}'`);
}

const QUALIFIED_REGEX = new RegExp(`^${QUALIFIED}$`);
const QUALIFIED_PROBLEM = regexProblem(QUALIFIED_RULE, QUALIFIED, ...QUALIFIED_EXAMPLES);

/** Label keys, annotation keys, finalizers, resource names: `name` or `dns.prefix/name`. */
export function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const problems = parts.length === 2 ? prefixProblems(parts[0] ?? '') : [];
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!QUALIFIED_REGEX.test(name)) problems.push(`name part ${QUALIFIED_PROBLEM}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

export const labelValueProblems = checker({
  pattern: LABEL_VALUE,
  max: 63,
  unit: 'bytes',
  rule: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ALPHANUMERIC_ENDS}`,
  examples: ['MyValue', 'my_value', '12345'],
});

const configKeyFormat = checker({
  pattern: CONFIG_KEY,
  max: 253,
  rule: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
});

/** Keys of a ConfigMap or Secret: they become file names. */
export function configKeyProblems(value: string): readonly string[] {
  return [...configKeyFormat(value), ...directoryProblems(value)];
}

function directoryProblems(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : NONE;
}

/** Environment variables, as relaxed since Kubernetes 1.32. */
export function envNameProblems(value: string): readonly string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]+$/.test(value)) return NONE;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export const headerNameProblems = checker({
  pattern: HEADER_NAME,
  rule: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
});

export const percentProblems = checker({
  pattern: PERCENT,
  rule: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});

export const cIdentifierProblems = checker({
  pattern: C_IDENTIFIER,
  rule: "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName'],
});

/** Names of ports, after IANA's service names. */
export function portNameProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > 15) problems.push(maxLengthProblem(15));
  if (!/^[-a-z0-9]+$/.test(value)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)');
  if (value.includes('--')) problems.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function portNumberProblems(value: number): readonly string[] {
  return Number.isInteger(value) && value >= 1 && value <= 65_535 ? NONE : [rangeProblem(1, 65_535)];
}
