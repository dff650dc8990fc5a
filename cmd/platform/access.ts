/** Who comes through the entrance and as whom they go on: the parts that only the program can put together. */
import { sameText } from '#base/same-text.ts';
import type { Log } from '#base/log.ts';
import type { Metrics } from '#base/metrics.ts';
import { StatusError } from '#base/status-error.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { FIRST_ADMIN } from '#ghippo/bootstrap.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { isOnRecord, recordOf } from '#kairship/access/audit-trail.ts';
import type { PlatformCaller } from '#kairship/access/authorize.ts';
import { instanceGroups } from '#kairship/access/instance-groups.ts';
import { recordOfKube } from '#kairship/access/kube-audit.ts';
import { memberPath } from '#kairship/proxy/instance-client.ts';
import { GLOBAL_CLUSTER } from '#kairship/proxy/instance-proxy.ts';
import type { EntranceOptions } from '#kairship/services/entrance.ts';
import type { PlatformApiDeps } from '#kairship/services/platform-api.ts';
import { MASTERS } from '#kube/apiserver/index.ts';
import { encodeAgentToken } from '#karmada/apis/agent-token.ts';
import { kubeconfigFor, kubeconfigText } from '#kube/client/kubeconfig.ts';
import { operationOf } from '#rpc/index.ts';

/** The administrator of this installation: a user like others, and beyond all rules inside instances. */
export const ADMIN: PlatformCaller = { user: FIRST_ADMIN, groups: [MASTERS] };

/** The identity module, to which the administrator's token of this installation is theirs too. */
export function withAdministrator(ghippo: Ghippo, adminToken: string): Ghippo {
  const admin = { user: FIRST_ADMIN, method: 'token' } as const;
  const isAdmin = (bearer: string | undefined) => bearer !== undefined && sameText(bearer, adminToken);
  return { ...ghippo, authenticate: async (shown) => (isAdmin(shown.bearer) ? admin : ghippo.authenticate(shown)) };
}

/** Who a caller is inside an instance or the global cluster: nobody, unless they were given something there. */
export function admission({ snapshot }: Ghippo): (caller: PlatformCaller, instance: string) => PlatformCaller {
  return (caller, instance) => {
    if (caller === ADMIN) return caller;
    if (instance === GLOBAL_CLUSTER)
      throw new StatusError('Forbidden', 'only the administrator of the installation may do this');
    const groups = instanceGroups(snapshot, caller, instance);
    if (groups.length > 0) return { user: caller.user, groups };
    throw new StatusError('Forbidden', `user "${caller.user}" has no rights in instance "${instance}"`);
  };
}

export interface KubeconfigParts {
  readonly ghippo: Ghippo;
  readonly ca: string;
  /** Where the entrance is, as those who get a kubeconfig reach it. */
  readonly url: string;
}

/** Kubeconfigs through the entrance, each with a token of its own that opens one instance and nothing else. */
export function kubeconfigs({ ghippo, ca, url }: KubeconfigParts): PlatformApiDeps['kubeconfig'] {
  return async ({ user }, { instance, members, seconds }) => {
    const { text: token } = await ghippo.tokens.createToken(
      { user, method: 'session' },
      {
        description: `kubeconfig of instance ${instance}`,
        scopes: [instanceScope(instance)],
        ...(seconds > 0 ? { lifeMs: seconds * 1000 } : {}),
      },
    );
    const server = `${url}/instances/${encodeURIComponent(instance)}/kube`;
    const of = members.map((name) => ({ name: `${instance}/${name}`, server: server + memberPath(name), ca, token }));
    return kubeconfigText(kubeconfigFor({ name: instance, server, ca, token }, ...of));
  };
}

/** What was changed through the entrance by kubectl and the like. */
export function kubeRecords({ audit }: Ghippo, log: Log): EntranceOptions['record'] {
  return (call) => {
    const entry = recordOfKube(call);
    if (entry) audit.record(entry).catch((error: unknown) => log.error('a call is not on record', { error }));
  };
}

/** What an agent is started with, for the entrance as it is reached from elsewhere. */
export function agentTokens({ ca, url }: Pick<KubeconfigParts, 'ca' | 'url'>): PlatformApiDeps['agentToken'] {
  return (instance, cluster, token) => {
    const server = `${url}/instances/${encodeURIComponent(instance)}/kube`;
    return encodeAgentToken({ server, ca, cluster, token });
  };
}

/** Writes and refusals go on record; whoever only looks leaves no trace. Every call is counted. */
export function auditTrail({ audit }: Ghippo, metrics: Metrics, log: Log): PlatformApiDeps['audit'] {
  const total = metrics.counter('kairship_calls_total', 'Calls of the API answered.', ['operation', 'reason']);
  const seconds = metrics.histogram('kairship_call_duration_seconds', 'How long calls took.', ['operation']);
  return (call) => {
    const operation = operationOf(call.rpc);
    total.labels({ operation, reason: call.error?.reason ?? 'OK' }).inc();
    seconds.labels({ operation }).observe(call.ms / 1000);
    if (!isOnRecord(call)) return;
    audit.record(recordOf(call)).catch((error: unknown) => log.error('a call is not on record', { error }));
  };
}
