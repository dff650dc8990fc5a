/** Which kinds of workloads there are, and what may be done with each. */
import { badRequest } from '#base/status-error.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { DAEMON_SET, DEPLOYMENT, STATEFUL_SET } from '../kinds.ts';

const KINDS: readonly KindNames[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];
const SCALED: readonly KindNames[] = [DEPLOYMENT, STATEFUL_SET];

/** `deployments`, `Deployment`, …; throws for what is none. */
export function workloadKind(text: string): KindNames {
  const wanted = text.toLowerCase();
  const found = KINDS.find(({ kind, resource }) => resource === wanted || kind.toLowerCase() === wanted);
  if (found) return found;
  throw badRequest(`kind "${text}" is none of ${KINDS.map(({ resource }) => resource).join(', ')}`);
}

export function scaledKind(text: string): KindNames {
  const kind = workloadKind(text);
  if (SCALED.includes(kind)) return kind;
  throw badRequest(`${kind.resource} have as many pods as there are nodes: they cannot be scaled`);
}

export function pausedKind(text: string): KindNames {
  const kind = workloadKind(text);
  if (kind === DEPLOYMENT) return kind;
  throw badRequest(`only rollouts of deployments can be paused, ${kind.resource} have no such thing`);
}
