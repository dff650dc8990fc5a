/**
 * In which form a client wants its answer. JSON and YAML are written; of the forms of an object, Table and
 * PartialObjectMetadata. Clients that ask for protobuf first get what they name next: all of them take JSON.
 */
import { StatusError } from '#base/status-error.ts';

export interface Answer {
  readonly media: 'json' | 'yaml';
  readonly as?: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of `meta.k8s.io` asked for with `as`. */
  readonly version?: string;
}

export const JSON_ANSWER: Answer = { media: 'json' };
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAMED = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

/** Clients repeat themselves; what their few spellings mean is worked out once. */
const known = new Map<string, Answer | StatusError>();
const KNOWN_MAX = 200;

/**
 * What can be watched says, where it is listed, that it can also be streamed. What is custom is served by a part that
 * has one sentence for everything it does not write.
 */
export function negotiate(accept: string | undefined, { streams = false, custom = false } = {}): Answer {
  if (accept === undefined || accept === '' || accept === 'application/json') return JSON_ANSWER;
  let answer = known.get(accept);
  if (!answer) {
    answer = understand(accept);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(accept, answer);
  }
  if (!(answer instanceof StatusError)) return answer;
  if (custom) throw notAccepted();
  if (!streams || !answer.message.startsWith('406')) throw answer;
  throw new StatusError('NotAcceptable', `${answer.message}, ${STREAMED}`, { details: {} });
}

/** Where there is nothing but the object itself to show. */
export function objectOnly(accept: string | undefined): Answer {
  const answer = negotiate(accept);
  if (answer.as !== 'Table') return answer;
  throw notAccepted();
}

function notAccepted(): StatusError {
  return new StatusError('NotAcceptable', `only the following media types are accepted: ${ACCEPTED}`);
}

/** Watches are streams of JSON lines and nothing else. */
export function negotiateWatch(accept: string | undefined): Answer {
  const answer = negotiate(accept, { streams: true });
  if (answer.media === 'json') return answer;
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${STREAMED}`);
}

/** The form in which to answer with a failure, which any client must get in some form. */
export function negotiateFailure(accept: string | undefined): Answer {
  try {
    return { media: negotiate(accept).media };
  } catch {
    return JSON_ANSWER;
  }
}

function understand(accept: string): Answer | StatusError {
  let understood = false;
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    const media = mediaOf(type.toLowerCase());
    if (!media) continue;
    understood = true;
    const answer = answerOf(media, new Map(parameters.map(pair)));
    if (answer) return answer;
  }
  if (understood) return notAccepted();
  const message = `406: Not Acceptable\n\nAvailable representations: ${ACCEPTED}`;
  return new StatusError('NotAcceptable', message, { details: {} });
}

function mediaOf(type: string): 'json' | 'yaml' | undefined {
  if (type === 'application/yaml') return 'yaml';
  const json = type === 'application/json' || type === '*/*' || type === 'application/*';
  return json || type === 'application/vnd.kubernetes.protobuf' ? 'json' : undefined;
}

function answerOf(media: 'json' | 'yaml', parameters: ReadonlyMap<string, string>): Answer | undefined {
  const as = parameters.get('as');
  if (as === undefined) return { media };
  const version = parameters.get('v') ?? 'v1';
  if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined;
  return { media, as, version };
}

function pair(parameter: string): [string, string] {
  const [key = '', value = ''] = parameter.split('=');
  return [key.toLowerCase(), value];
}
