/**
 * Field selectors as the index takes them: on any path, with the operators of label selectors.
 *
 *     status.phase=Running, spec.nodeName!=n1, metadata.annotations['a.io/b'] in (x, y), !spec.paused
 *
 * What cannot be answered (`>`, `<`) is refused: a filter that is ignored finds everything.
 */
import { badRequest } from '#base/status-error.ts';
import { parseFieldPath } from '#kube/meta/field-path.ts';
import type { FieldTest } from './query.ts';

const MAX_TERMS = 20;

export function parseFields(text: string): readonly FieldTest[] {
  const terms = splitTerms(text);
  if (terms.length > MAX_TERMS)
    throw badRequest(`a field selector has at most ${MAX_TERMS} terms, not ${terms.length}`);
  return terms.map((term) => parseTerm(term.trim()));
}

/** Splits at commas outside of parentheses, brackets and backslashes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)].filter((term) => term.trim() !== '');
}

function parseTerm(term: string): FieldTest {
  const set = /^(\S[^()]*?)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term);
  if (set) {
    const [, path = '', operator, values = ''] = set;
    return test(
      path,
      operator === 'in' ? 'in' : 'notin',
      values.split(',').map((value) => value.trim()),
    );
  }
  const compared = /^([^=!<>]+?)\s*(==|!=|=)\s*([^]*)$/.exec(term);
  if (compared) {
    const [, path = '', operator, value = ''] = compared;
    return test(path, operator === '!=' ? 'notin' : 'in', [value.replace(/\\([\\,=])/g, '$1')]);
  }
  if (/[<>=()]/.test(term)) {
    throw badRequest(
      `cannot understand the field selector ${JSON.stringify(term)}: use =, !=, in (…), notin (…), the path alone or !path`,
    );
  }
  return term.startsWith('!') ? test(term.slice(1).trim(), '!', []) : test(term, 'exists', []);
}

function test(path: string, operator: FieldTest['operator'], values: readonly string[]): FieldTest {
  return { path: parseFieldPath(path), operator, values };
}
