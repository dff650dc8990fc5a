/**
 * A PromQL query that sees the series of one instance only: every selector in it gets one more matcher. Pure.
 *
 * The text is read token by token, not parsed: names that are no functions, operators or label lists are metrics, and
 * braces are selectors. What cannot be read that way is handed on and refused by the metrics store; nothing gets a
 * selector without the matcher.
 */
export const INSTANCE_LABEL = 'kairship_instance';

const TOKEN = /#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|[a-zA-Z_:][\w:]*|\d[\w.]*|\s+|[^]/g;
/** Followed by a list of labels in parentheses, which are no metrics. */
const LABEL_LISTS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS = new Set(
  `${[...LABEL_LISTS].join(' ')} and or unless bool offset atan2 inf nan start end sum min max avg group stddev stdvar
  count count_values bottomk topk quantile limitk limit_ratio`.split(/\s+/),
);

export function narrowedQuery(query: string, instance: string): string {
  const matcher = `${INSTANCE_LABEL}=${JSON.stringify(instance)}`;
  const tokens = query.match(TOKEN) ?? [];
  let written = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const next = following(tokens, at);
    if (token === '{') {
      const end = closing(tokens, at, '}');
      written += `{${matcher},${tokens.slice(at + 1, end).join('')}}`;
      at = end;
    } else if (LABEL_LISTS.has(token.toLowerCase()) && next.token === '(') {
      const end = closing(tokens, next.at, ')');
      written += tokens.slice(at, end + 1).join('');
      at = end;
    } else if (isMetric(token) && next.token !== '(') {
      // Its own braces, if it has some, come next and get the matcher there.
      written += next.token === '{' ? token : `${token}{${matcher}}`;
    } else written += token;
  }
  return written;
}

function isMetric(token: string): boolean {
  return /^[a-zA-Z_:]/.test(token) && !WORDS.has(token.toLowerCase());
}

function isBlank(token: string): boolean {
  return /^(\s|#)/.test(token);
}

function following(tokens: readonly string[], at: number): { readonly token: string; readonly at: number } {
  let next = at + 1;
  while (next < tokens.length && isBlank(tokens[next] ?? '')) next++;
  return { token: tokens[next] ?? '', at: next };
}

function closing(tokens: readonly string[], from: number, bracket: string): number {
  const found = tokens.indexOf(bracket, from);
  return found < 0 ? tokens.length : found;
}
