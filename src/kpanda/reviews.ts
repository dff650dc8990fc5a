/** Whom the global cluster takes a token for, and what it lets them do: TokenReview and SubjectAccessReview. */
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

export interface ReviewedCaller {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ReviewedAction {
  readonly verb: string;
  readonly subresource?: string;
  /** Empty means: of all. */
  readonly name?: string;
}

export interface Reviews {
  /** Throws `Unauthorized` for a token that is not known. */
  callerOf(token: string): Promise<ReviewedCaller>;
  /** About `clusters` of `kpanda.io`. */
  allows(caller: ReviewedCaller, action: ReviewedAction): Promise<boolean>;
}

export function reviews(client: KubeClient): Reviews {
  async function review(group: string, resource: string, kind: string, spec: object): Promise<Record<string, unknown>> {
    const object = { apiVersion: `${group}/v1`, kind, metadata: {}, spec };
    const { status } = await client.create({ group, version: 'v1', resource }, object);
    return isObject(status) ? status : {};
  }

  return {
    async callerOf(token) {
      const status = await review('authentication.k8s.io', 'tokenreviews', 'TokenReview', { token });
      const user = status['authenticated'] === true ? status['user'] : undefined;
      if (!isObject(user)) throw unauthorized();
      const groups = Array.isArray(user['groups']) ? user['groups'].map(String) : [];
      return { user: String(user['username']), groups };
    },
    async allows({ user, groups }, { verb, subresource, name = '' }) {
      const resourceAttributes = {
        group: 'kpanda.io',
        resource: 'clusters',
        verb,
        name,
        ...(subresource === undefined ? {} : { subresource }),
      };
      const spec = { user, groups, resourceAttributes };
      const status = await review('authorization.k8s.io', 'subjectaccessreviews', 'SubjectAccessReview', spec);
      return status['allowed'] === true;
    },
  };
}

export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
}

export function unauthorized(): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized');
}
