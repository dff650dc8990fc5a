/** Named formats: `format.dns1123Label().validate(self.name)` is none, or the list of what is wrong. */
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '#kube/meta/names.ts';
import { matchesFormat } from '../../formats.ts';
import { global, member, type Overload, T } from '../function.ts';
import { list, NONE, some } from '../value.ts';

type Format = {
  readonly cel: 'kubernetes.NamedFormat';
  readonly name: string;
  problems(text: string): readonly string[];
};

/** A name that may still get a suffix. */
function prefix(problems: (text: string) => readonly string[]): (text: string) => readonly string[] {
  return (text) => problems(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
}

function known(format: string, words: string): (text: string) => readonly string[] {
  return (text) => (matchesFormat(format, text) ? [] : [words]);
}

const FORMATS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: dnsLabelProblems,
  dns1123Subdomain: dnsSubdomainProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: qualifiedNameProblems,
  dns1123LabelPrefix: prefix(dnsLabelProblems),
  dns1123SubdomainPrefix: prefix(dnsSubdomainProblems),
  dns1035LabelPrefix: prefix(dns1035LabelProblems),
  labelValue: labelValueProblems,
  uri: known('uri', 'invalid URI for request'),
  uuid: known('uuid', 'does not match the UUID format'),
  byte: known('byte', 'invalid base64'),
  date: known('date', 'invalid date'),
  datetime: known('datetime', 'invalid datetime'),
};

function named(name: string): Format | undefined {
  const problems = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return problems && { cel: 'kubernetes.NamedFormat', name, problems };
}

export const FORMAT: readonly Overload[] = [
  ...Object.entries(FORMATS).map(([name, problems]) =>
    global(`format.${name}`, [], T.format, () => ({ cel: 'kubernetes.NamedFormat', name, problems })),
  ),
  global('format.named', [T.string], T.optional(T.format), (name) => {
    const format = named(name);
    return format ? some(format) : NONE;
  }),
  member('validate', [T.format, T.string], T.optional(T.list(T.string)), (format, text) => {
    const found = format.problems(text);
    return found.length === 0 ? NONE : some(list(found));
  }),
];
