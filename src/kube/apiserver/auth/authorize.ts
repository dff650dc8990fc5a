/** What a user may do. The server asks before it looks at anything else; RBAC and others answer. */
import { StatusError } from '#base/status-error.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { User } from '../admission.ts';
import { AUTHENTICATED, MASTERS } from './authenticate.ts';

/** What is asked for: a verb on a resource, or on a path. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why, for people; shown in the refusal. */
  readonly reason?: string;
}

export interface Authorizer {
  authorize(user: User, attributes: Attributes): Decision | Promise<Decision>;
  /** All a user may do in a namespace, as SelfSubjectRulesReview tells it; absent where nobody can list it. */
  rules?(user: User, namespace: string): SubjectRules | Promise<SubjectRules>;
}

/** The status of a SelfSubjectRulesReview. */
export interface SubjectRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

const PUBLIC_PATHS = /^\/(healthz|livez|readyz|version|api|apis|openapi)(\/|$)/;

/** Lets `system:masters` do everything, and everybody who has shown who they are find out what the server serves. */
export const mastersOnly: Authorizer = {
  authorize(user, attributes) {
    if (user.groups.includes(MASTERS)) return { allowed: true };
    const reads = 'path' in attributes && attributes.verb === 'get' && PUBLIC_PATHS.test(attributes.path);
    return { allowed: reads && user.groups.includes(AUTHENTICATED) };
  },
};

/** Throws Forbidden unless the authorizer allows it; at once, where the authorizer answers at once. */
export function requireAllowed(
  authorizer: Authorizer,
  user: User,
  attributes: Attributes,
): Decision | Promise<Decision> {
  if (user.groups.includes(MASTERS)) return UNASKED;
  const decision = authorizer.authorize(user, attributes);
  if (decision instanceof Promise) return decision.then((later) => check(user, attributes, later));
  return check(user, attributes, decision);
}

const UNASKED: Decision = { allowed: true };

function check(user: User, attributes: Attributes, decision: Decision): Decision {
  if (decision.allowed) return decision;
  const error = refusal(user, attributes, decision.reason);
  refusals.add(error);
  throw error;
}

const refusals = new WeakSet<StatusError>();

/** Whether a failure is one of authorization, as opposed to those of admission. */
export function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && refusals.has(error);
}

function refusal(user: User, attributes: Attributes, reason: string | undefined): StatusError {
  const because = reason ? `: ${reason}` : '';
  const who = `User ${JSON.stringify(user.name)}`;
  if ('path' in attributes) {
    const message = `forbidden: ${who} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}${because}`;
    return new StatusError('Forbidden', message, { details: {} });
  }
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  const named = name ? ` ${JSON.stringify(name)}` : '';
  const message = `${groupResource(attributes)}${named} is forbidden: ${who} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${because}`;
  return new StatusError('Forbidden', message, {
    details: { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
  });
}
