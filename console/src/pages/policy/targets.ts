/** Clusters by place and by label, as people write them and as a policy keeps them. Pure. */
interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}

const listOf = (of: unknown): readonly Requirement[] => (Array.isArray(of) ? (of as readonly Requirement[]) : []);

/** The places that a field selector takes; any of them will do. */
export function placesIn(expressions: unknown, key: string): readonly string[] {
  return listOf(expressions).find((one) => one.key === key && one.operator === 'In')?.values ?? [];
}

/** The same with other places for one key; what else it says stays. */
export function withPlaces(expressions: unknown, key: string, values: readonly string[]): readonly Requirement[] {
  const others = listOf(expressions).filter((one) => one.key !== key || one.operator !== 'In');
  return values.length === 0 ? others : [...others, { key, operator: 'In', values }];
}

/** `tier=prod`, `tier in a,b`, `tier not in a,b`, `gpu`, `!gpu`: one word for each requirement. */
export function labelWords(selector: unknown): readonly string[] {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as LabelSelector;
  return [...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`), ...matchExpressions.map(wordOf)];
}

function wordOf({ key = '', operator, values = [] }: Requirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'NotIn':
      return `${key} not in ${values.join(',')}`;
    default:
      return `${key} in ${values.join(',')}`;
  }
}

/** The selector that such words make; undefined for none. */
export function requirementOf(words: readonly string[]): LabelSelector | undefined {
  const labels: Record<string, string> = {};
  const expressions: Requirement[] = [];
  for (const word of words.map((one) => one.trim()).filter(Boolean)) {
    const [, key = '', not, values = ''] = /^(\S+) (not )?in (.+)$/.exec(word) ?? [];
    const at = word.indexOf('=');
    if (key)
      expressions.push({ key, operator: not ? 'NotIn' : 'In', values: values.split(',').map((one) => one.trim()) });
    else if (at > 0) labels[word.slice(0, at)] = word.slice(at + 1);
    else if (word.startsWith('!')) expressions.push({ key: word.slice(1), operator: 'DoesNotExist' });
    else expressions.push({ key: word, operator: 'Exists' });
  }
  if (Object.keys(labels).length + expressions.length === 0) return undefined;
  return {
    ...(Object.keys(labels).length > 0 ? { matchLabels: labels } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  };
}
