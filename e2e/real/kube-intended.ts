/**
 * Where our API server answers otherwise than a real one and is meant to, each with the reason.
 *
 * Whatever is not listed here and differs is a mistake of ours: the comparison fails when there are more than a few.
 */
import type { Ask } from '../kube/kube-server.ts';
import type { Difference } from './differences.ts';

interface Intended {
  readonly what: string;
  readonly reason: string;
  /** `all` is everything that differs in the answer. */
  readonly is: (asked: Ask, difference: Difference, all: readonly Difference[]) => boolean;
}

/** The whole object that a patch would have made, in a message or in its cause. */
const CANNOT_BE_READ = /patch: |^"Invalid value: (<object>|\\"(map\[|\{))/;

const words = (text = '') =>
  text
    .split(/[[\], ]+/)
    .sort()
    .join(' ');

export const INTENDED: readonly Intended[] = [
  {
    what: 'Not every rule of resource.k8s.io, admissionregistration.k8s.io, flowcontrol and of addresses is checked',
    reason: 'they are stored and served for their clients; nothing in a control plane without nodes acts on them',
    is: ({ path }) =>
      /^\/apis\/(resource|admissionregistration|flowcontrol\.apiserver|apiregistration)\.k8s\.io\//.test(path) ||
      /^\/apis\/networking\.k8s\.io\/v1\/(ipaddresses|servicecidrs)/.test(path),
  },
  {
    what: 'A revision that is no number is answered with 400',
    reason: 'it is the mistake of the client; Kubernetes answers some of these with 500',
    is: ({ path }) => path.includes('resourceVersion=x'),
  },
  {
    what: 'Which of two mistakes in a query is told',
    reason: 'one of them is; which comes first depends on where Kubernetes happens to look',
    is: ({ path }, { path: field }) => path.includes('continue=') && field.startsWith('body.message'),
  },
  {
    what: 'Component statuses are an empty list',
    reason: 'Kubernetes has deprecated them; there are no components here to ask',
    is: ({ path }) => path.startsWith('/api/v1/componentstatuses'),
  },
  {
    what: 'An empty list is shown as empty, where Kubernetes shows null',
    reason: 'it is what was sent, and what clients can go through',
    is: (_asked, { real, ours }) => real === 'null' && ours === '[]',
  },
  {
    what: 'A generated name',
    reason: 'it is a random one on either side',
    is: ({ body }, { path }) => sentText(body).includes('"generateName"') && /message|name$/.test(path),
  },
  {
    what: 'What was sent as the status of a review is not in its answer',
    reason: 'an answer says what was found; Kubernetes repeats what it does not overwrite',
    is: ({ path }, { path: field }) => /reviews(\?|$)/.test(path) && /fieldsV1|status\.|spec\.audiences/.test(field),
  },
  {
    what: 'Values of a definition are quoted as they were sent',
    reason: 'Kubernetes quotes the Go structs it keeps, with names that no client knows',
    is: ({ path }, { path: field }) => path.includes('/customresourcedefinitions') && /message|causes/.test(field),
  },
  {
    what: 'A custom resource at a path that is none',
    reason: 'it is told as for every other resource; Kubernetes has a second server with its own words for these',
    is: ({ path }) => /\/widgets\/a%2Fb/.test(path),
  },
  {
    what: 'Why a patched object cannot be read',
    reason: 'that it cannot is told with the field; Go converts in two steps and may stumble in the other one',
    is: ({ method }, { path, real }) =>
      method === 'PATCH' && path.endsWith('message') && CANNOT_BE_READ.test(real ?? ''),
  },
  {
    what: 'Cluster roles are aggregated by another writer',
    reason: 'the managers of aggregated rules are the programs that aggregate them',
    is: ({ path }, { path: field }) => path.includes('/clusterroles') && field.includes('managedFields'),
  },
  {
    what: 'Columns of a deleted collection',
    reason: 'they are those of the list; Kubernetes shows none of a kind of which nothing was deleted',
    is: ({ method }, { path: field }) => method === 'DELETE' && field.startsWith('body.columnDefinitions'),
  },
  {
    what: 'Lists within messages are quoted as they were sent',
    reason: 'Kubernetes quotes the Go structs it keeps, with names that no client knows',
    is: (_asked, { path: field, real }) => field.endsWith('message') && /\{\\*"[A-Z]/.test(real ?? ''),
  },
  {
    what: 'The time of the last phase of a volume',
    reason: 'it is kept by who moves the volume on; a new one has been in no other phase',
    is: (_asked, { path: field }) => field.endsWith('status.lastPhaseTransitionTime'),
  },
  {
    what: 'An empty map or list that was sent is told as missing',
    reason: 'as it is stored: Kubernetes tells it apart only until then',
    is: (_asked, { path: field, real }) => field.endsWith('message') && /value: (\{\}|\[\])/.test(real ?? ''),
  },
  {
    what: 'Only what is asked for is shown of a review',
    reason: 'a review has no life beyond its answer: its metadata alone says nothing',
    is: ({ path, headers }) => /reviews(\?|$)/.test(path) && String(headers?.['accept']).includes('Partial'),
  },
  {
    what: 'The order in which mistakes in a custom resource are told',
    reason: 'Kubernetes goes through its schema in the order of a map, which differs from run to run',
    is: ({ path }, { path: field }, all) =>
      path.includes('/widgets') &&
      /^body\.(message$|details\.causes)/.test(field) &&
      all.some(({ path: where, real, ours }) => where === 'body.message' && words(real) === words(ours)),
  },
  {
    what: 'How an update of a pod differs from what it may be',
    reason: 'fields are shown by their names; Kubernetes shows the Go structs it keeps',
    is: (_asked, { path: field, real, ours }) =>
      field.endsWith('message') &&
      [real, ours].every((text) => text?.includes('pod updates may not change fields other than')),
  },
  {
    what: 'Whether the default account is back already',
    reason: 'a controller makes it again, on both sides in its own time',
    is: ({ method, path }, { path: field }) =>
      method === 'DELETE' && /\/serviceaccounts(\?|$)/.test(path) && /^body\.(rows|items)\.\d+$/.test(field),
  },
  {
    what: 'Limits of a LimitRange are not given to pods',
    reason: 'limit ranges and quotas are stored and served; they are not enforced yet',
    is: ({ path }, { path: field }, all) =>
      /\/pods(\?|$)/.test(path) &&
      /annotations|resources\.(limits|requests)|qosClass/.test(field) &&
      all.some(({ real }) => real?.includes('LimitRanger plugin set: ')),
  },
  {
    what: 'A patched object that cannot be read and has another name',
    reason: 'that it cannot be read is told; Kubernetes has looked at its name before',
    is: ({ method }, { path: field }, all) =>
      method === 'PATCH' &&
      /^(code|warnings|body\.(message|reason|code|details))/.test(field) &&
      all.some(
        ({ real, ours }) => real?.includes('the name of the object') && ours?.includes(': patch: Invalid value'),
      ),
  },
  {
    what: 'Control characters in values of a closed set',
    reason: 'they are quoted as in all other messages; Go quotes values of named types in another way',
    is: (_asked, { path: field, real, ours }) =>
      field.endsWith('message') && real?.replaceAll(String.raw`\\u00`, String.raw`\\x`) === ours,
  },
];

/** Random requests send their bodies as text. */
export function sentText(body: unknown): string {
  return typeof body === 'string' ? body : '';
}

export function isIntended(asked: Ask, difference: Difference, all: readonly Difference[]): boolean {
  return INTENDED.some(({ is }) => is(asked, difference, all));
}
