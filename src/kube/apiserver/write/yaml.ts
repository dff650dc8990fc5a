/** YAML as Go's Kubernetes clients write it: version 1.1, where `yes` is true, but dates stay text. */
import { parseAllDocuments, type Tags } from 'yaml';
import { parseJson } from '#kube/schema/index.ts';
import { badRequest } from '#base/status-error.ts';

export function parseYaml(body: Buffer): unknown {
  const text = body.toString('utf8');
  // Most of what is sent as YAML is JSON, and that is read much faster.
  if (/^\s*[{[]/.test(text)) {
    try {
      return parseJson(text).value;
    } catch {
      // Flow style that is no JSON is left to the YAML parser.
    }
  }
  const documents = parseAllDocuments(text, { version: '1.1', customTags: withoutDates, maxAliasCount: 100 } as object);
  const [document] = Array.isArray(documents) ? documents : [];
  if (!document) return undefined;
  const [error] = document.errors;
  if (error) throw badRequest(`error converting YAML to JSON: yaml: ${error.message.split('\n')[0]}`);
  return parseJson(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null)).value;
}

function withoutDates(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:timestamp');
}
