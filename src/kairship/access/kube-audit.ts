/**
 * What somebody changed with kubectl, Helm or anything else that speaks to an instance through the entrance, as a record of
 * the audit log: beside what they did by the API. Pure.
 *
 * Whoever only looks leaves no trace, nor do questions that are asked by writing (reviews, simulations). Running something
 * in a pod is a change. Of what was written only its name is kept.
 */
import type { AuditEntry, AuditVerdict } from '#ghippo/audit/audit-record.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { type ResourceRoute, routeOf } from '#kube/apiserver/http/route.ts';

export interface KubeCall {
  readonly instance: string;
  readonly method: string;
  /** Path and query within the instance. */
  readonly path: string;
  readonly upgrade: boolean;
  readonly status: number;
  readonly user: string;
  readonly byToken: boolean;
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const STREAMS: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);
const QUESTIONS = /^(authentication\.k8s\.io|authorization\.k8s\.io|placement\.kairship\.io)$/;

export function recordOfKube(call: KubeCall): AuditEntry | undefined {
  const { instance, user, byToken, address, agent, status } = call;
  const [path = '', query = ''] = call.path.split('?');
  if (new URLSearchParams(query).has('dryRun')) return undefined;
  const { route, cluster } = memberRoute(path);
  const verb = route && verbOf(call, route);
  if (!route || verb === undefined || QUESTIONS.test(route.group)) return undefined;
  const { group, resource, namespace, name = '', subresource } = route;
  const type = [resource, subresource].filter(Boolean).join('/');
  return {
    user,
    method: byToken ? 'token' : 'session',
    ...(address === undefined ? {} : { address }),
    ...(agent === undefined ? {} : { agent }),
    action: `kube ${verb}`,
    product: 'kairship',
    resourceType: group === '' ? type : `${type}.${group}`,
    // What is made is named in its body, which only passes through here.
    resourceName: [namespace, name].filter(Boolean).join('/'),
    scope: instanceScope(instance),
    verdict: verdictOf(status),
    reason: status < 400 ? '' : `answered ${status}`,
    detail: { operation: `${call.method} ${path}`, ...(cluster === undefined ? {} : { cluster }) },
  };
}

/** The object itself, also when it is in a member that is reached through the instance. */
function memberRoute(path: string): { readonly route?: ResourceRoute; readonly cluster?: string } {
  const route = routeOf(path);
  if (route.kind !== 'resource') return {};
  if (route.resource !== 'clusters' || route.subresource !== 'proxy') return { route };
  const inside = routeOf(`/${route.rest ?? ''}`);
  return { ...(inside.kind === 'resource' ? { route: inside } : {}), cluster: route.name ?? '' };
}

function verbOf({ method, upgrade }: KubeCall, { subresource = '', name }: ResourceRoute): string | undefined {
  if (STREAMS.has(subresource)) return upgrade || method === 'POST' ? subresource : undefined;
  const verb = VERBS[method];
  return verb === 'delete' && name === undefined ? 'deletecollection' : verb;
}

function verdictOf(status: number): AuditVerdict {
  if (status === 401 || status === 403) return 'denied';
  return status < 400 ? 'allowed' : 'failed';
}
