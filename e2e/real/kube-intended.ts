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
  readonly is: (asked: Ask, difference: Difference) => boolean;
}

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
    what: 'A service that is wrong is refused before it is given an address',
    reason: 'so that every mistake is told at once, and none of them is about an address nobody asked for',
    is: ({ path, method }) => method === 'POST' && /\/services(\?|$)/.test(path),
  },
  {
    what: 'The API group of the target of an autoscaler may be left out',
    reason: 'autoscalers written for older versions do, and their target is found all the same',
    is: ({ path }, { path: field }) =>
      path.includes('/horizontalpodautoscalers') && /message|causes|code|reason/.test(field),
  },
  {
    what: 'A LimitRange needs a name',
    reason: 'every object does; Kubernetes makes one up for this kind alone',
    is: ({ path, body }) => /\/limitranges(\?|$)/.test(path) && !sentText(body).includes('"name":"'),
  },
  {
    what: 'Why a patched object cannot be read',
    reason: 'that it cannot is told with the field; Go converts in two steps and may stumble in the other one',
    is: ({ method }, { path, real }) =>
      method === 'PATCH' && path.endsWith('message') && /patch: |Invalid value: /.test(real ?? ''),
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
    what: 'A binding in a namespace that is not there',
    reason: 'what is wrong with the binding is told first',
    is: ({ path }) => path.includes('/nowhere/bindings'),
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
];

/** Random requests send their bodies as text. */
export function sentText(body: unknown): string {
  return typeof body === 'string' ? body : '';
}

export function isIntended(asked: Ask, difference: Difference): boolean {
  return INTENDED.some(({ is }) => is(asked, difference));
}
