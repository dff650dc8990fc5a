/** Reviews: questions about who somebody is and what they may do. They are answered, never stored. */
import { rfc3339 } from '#base/clock.ts';
import { type Draft, isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { manageUpdate } from '#kube/patch/index.ts';
import { builtinSchema, decodeError, dropUnknownFields, orderFields, type Schema } from '#kube/schema/index.ts';
import type { User } from '../admission.ts';
import { AUTHENTICATED, type Authenticator, MASTERS, withGroup } from '../auth/authenticate.ts';
import type { Attributes, Authorizer, Decision } from '../auth/authorize.ts';
import type { Core } from '../core.ts';
import type { ApiExtension, ExtensionRequest } from '../extension.ts';

const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' } as const;
const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1' } as const;

interface Deps {
  readonly core: Core;
  readonly authorizer: Authorizer;
  readonly authenticators: readonly Authenticator[];
}

type Body = Draft<KubeObject>;
type Answer = (request: ExtensionRequest, spec: Record<string, unknown>, review: Body) => Promise<unknown>;

export function reviews({ core, authorizer, authenticators }: Deps): readonly ApiExtension[] {
  function review(
    gv: typeof AUTHENTICATION | typeof AUTHORIZATION,
    kind: string,
    answer: Answer,
    namespaced = false,
  ): ApiExtension {
    const schema = builtinSchema({ ...gv, kind }) ?? {};
    return {
      ...gv,
      resource: `${kind.toLowerCase()}s`,
      singular: kind.toLowerCase(),
      kind: { kind },
      namespaced,
      verbs: ['create'],
      async serve(request) {
        const draft = bodyOf(await request.body(), apiVersionOf(gv), kind, schema);
        record(draft, schema, request, core.clock.now());
        const spec = isObject(draft['spec']) ? draft['spec'] : {};
        draft['status'] = await answer(request, spec, draft);
        return { code: 201, object: orderFields(schema, draft) };
      },
    };
  }

  async function decide(user: User, spec: Record<string, unknown>): Promise<unknown> {
    if (user.groups.includes(MASTERS)) return { allowed: true };
    const { allowed, reason }: Decision = await authorizer.authorize(user, attributesOf(spec));
    return { allowed, ...(reason ? { reason } : {}) };
  }

  return [
    review(AUTHORIZATION, 'SelfSubjectAccessReview', ({ user }, spec) => decide(user, spec)),
    review(AUTHORIZATION, 'SubjectAccessReview', (_request, spec) => decide(userOf(spec), spec)),
    review(AUTHORIZATION, 'LocalSubjectAccessReview', (_request, spec) => decide(userOf(spec), spec), true),
    review(AUTHORIZATION, 'SelfSubjectRulesReview', async ({ user }, spec, draft) => {
      const namespace = text(spec['namespace']);
      if (namespace === '') throw badRequest('no namespace on request');
      // Kubernetes answers this one without repeating the question.
      draft['spec'] = {};
      delete draft.metadata.managedFields;
      const rules = await authorizer.rules?.(user, namespace);
      return rules ?? { resourceRules: [], nonResourceRules: [], incomplete: true };
    }),
    review(AUTHENTICATION, 'SelfSubjectReview', async ({ user }, _spec, draft) => {
      draft.metadata.creationTimestamp = rfc3339(core.clock.now());
      delete draft.metadata.managedFields;
      return { userInfo: userInfo(user) };
    }),
    review(AUTHENTICATION, 'TokenReview', async (_request, spec) => {
      const user = await userOfToken(authenticators, text(spec['token']));
      if (!user) return { user: {}, error: 'invalid bearer token' };
      const audiences = Array.isArray(spec['audiences']) ? spec['audiences'] : [DEFAULT_AUDIENCE];
      return { authenticated: true, user: userInfo(withGroup(user, AUTHENTICATED)), audiences };
    }),
  ];
}

const DEFAULT_AUDIENCE = 'https://kubernetes.default.svc';

function bodyOf(sent: unknown, apiVersion: string, kind: string, schema: Schema): Body {
  if (!isObject(sent)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const problem = decodeError(schema, sent);
  if (problem) throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${problem}`);
  const metadata = isObject(sent['metadata']) ? sent['metadata'] : {};
  const draft = { ...sent, apiVersion, kind, metadata } as unknown as Body;
  dropUnknownFields(schema, draft);
  return draft;
}

function record(draft: Body, schema: Schema, { query }: ExtensionRequest, now: number): void {
  const manager = query.get('fieldManager') ?? 'unknown';
  const entries = manageUpdate({ schema, apiVersion: draft.apiVersion, manager, now, live: undefined, next: draft });
  if (entries.length > 0) draft.metadata.managedFields = entries as NonNullable<Body['metadata']['managedFields']>;
}

function attributesOf(spec: Record<string, unknown>): Attributes {
  const path = spec['nonResourceAttributes'];
  if (isObject(path)) return { verb: text(path['verb']), path: text(path['path']) };
  const of = isObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : {};
  return {
    verb: text(of['verb']),
    group: text(of['group']),
    version: text(of['version']),
    resource: text(of['resource']),
    subresource: text(of['subresource']) || undefined,
    namespace: text(of['namespace']) || undefined,
    name: text(of['name']) || undefined,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function userOf(spec: Record<string, unknown>): User {
  const groups = Array.isArray(spec['groups']) ? spec['groups'].map(String) : [];
  return { name: text(spec['user']), groups, ...(spec['uid'] ? { uid: text(spec['uid']) } : {}) };
}

function userInfo({ name, uid, groups, extra }: User) {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups,
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

async function userOfToken(authenticators: readonly Authenticator[], token: string): Promise<User | undefined> {
  for (const authenticator of authenticators) {
    const user = await authenticator({ token });
    if (user) return user;
  }
  return undefined;
}
