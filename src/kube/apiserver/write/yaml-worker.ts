/** The thread that reads YAML for {@link readYaml}. */
import { parentPort } from 'node:worker_threads';
import { parseAllDocuments, type Tags } from 'yaml';

export type YamlAnswer = { readonly json: string | undefined } | { readonly error: string };

/** How often one document may repeat another part of it. */
const MOST_ALIASES = 100;

function read(text: string): YamlAnswer {
  try {
    const options = { version: '1.1', customTags: withoutDates, logLevel: 'error' } as const;
    const documents = parseAllDocuments(text, options);
    const [document] = Array.isArray(documents) ? documents : [];
    if (!document) return { json: undefined };
    const [error] = document.errors;
    if (error) return { error: plain(error) };
    const json = JSON.stringify(document.toJS({ maxAliasCount: MOST_ALIASES }) ?? null);
    // Written as an escape: JSON keeps the halves of characters that cannot be written.
    if (/\\ud[89a-f]/.test(json)) return { error: 'found invalid Unicode character escape code' };
    return { json };
  } catch (error) {
    return { error: plain(error) };
  }
}

/** The first line; what the parser's stack could not hold is too deep for any object. */
function plain(error: unknown): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return message.startsWith('Maximum call stack') ? 'exceeded max depth' : message;
}

function withoutDates(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:timestamp');
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.on('message', (text: string) => parentPort?.postMessage(read(text)));
