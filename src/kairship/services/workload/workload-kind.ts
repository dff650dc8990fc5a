/** Which kinds of workloads there are, and what may be done with each. */
import { badRequest } from '#base/status-error.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, STATEFUL_SET } from '../kinds.ts';

const KINDS: readonly KindNames[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];
/** Whose pods are listened to: jobs too, which are neither rolled out nor back. */
const LOGGED: readonly KindNames[] = [...KINDS, JOB, CRON_JOB];
const SCALED: readonly KindNames[] = [DEPLOYMENT, STATEFUL_SET];

/** `deployments`, `Deployment`, …; throws for what is none. */
export function workloadKind(text: string): KindNames {
  return oneOf(KINDS, text);
}

export function loggedKind(text: string): KindNames {
  return oneOf(LOGGED, text);
}

function oneOf(kinds: readonly KindNames[], text: string): KindNames {
  const wanted = text.toLowerCase();
  const found = kinds.find(({ kind, resource }) => resource === wanted || kind.toLowerCase() === wanted);
  if (found) return found;
  throw badRequest(`kind "${text}" is none of ${kinds.map(({ resource }) => resource).join(', ')}`);
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
