/** Reviews: questions about who somebody is and what they may do. They are answered, never stored. */
import { rfc3339 } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { FieldError } from '#kube/meta/field-error.ts';
import type { User } from '../admission.ts';
import {
  API_AUDIENCE,
  AUTHENTICATED,
  type Authenticator,
  type Identity,
  MASTERS,
  withGroup,
} from '../auth/authenticate.ts';
import type { Attributes, Authorizer, Decision } from '../auth/authorize.ts';
import type { Core } from '../core.ts';
import type { ApiExtension, ExtensionRequest } from '../extension.ts';
import { invalid } from '../failures.ts';
import { metadataProblems, selectorProblems, whatProblems, whereProblems, whoProblems } from './review-rules.ts';
import { virtualKind, type VirtualObject } from './virtual-object.ts';

const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' } as const;
const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1' } as const;

interface Deps {
  readonly core: Core;
  readonly authorizer: Authorizer;
  readonly authenticators: readonly Authenticator[];
}

type Spec = Readonly<Record<string, unknown>>;

interface Review {
  readonly kind: string;
  readonly namespaced?: boolean;
  problems?(spec: Spec, metadata: VirtualObject['metadata']): readonly FieldError[];
  answer(request: ExtensionRequest, spec: Spec, review: VirtualObject): Promise<unknown>;
}

export function reviews({ core, authorizer, authenticators }: Deps): readonly ApiExtension[] {
  function served(gv: { readonly group: string; readonly version: string }, review: Review): ApiExtension {
    const { kind, namespaced = false } = review;
    const { read, record, write } = virtualKind({ ...gv, kind });
    return {
      ...gv,
      resource: `${kind.toLowerCase()}s`,
      singular: kind.toLowerCase(),
      kind: { kind },
      namespaced,
      verbs: ['create'],
      answers: 'object',
      async serve(request) {
        const draft = await read(request);
        const { namespace } = draft.metadata;
        if (namespaced && namespace && namespace !== request.namespace) {
          throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
        }
        for (const field of SERVERS_OWN) Reflect.deleteProperty(draft.metadata, field);
        record(draft, request, core.clock.now());
        if (request.namespace !== undefined) draft.metadata.namespace = request.namespace;
        const spec = isObject(draft['spec']) ? draft['spec'] : {};
        const errors = review.problems?.(spec, draft.metadata) ?? [];
        // Kubernetes leaves the kind out of this one.
        if (errors.length > 0) throw invalid({ group: gv.group, kind: '' }, '', errors);
        draft['status'] = await review.answer(request, spec, draft);
        return { code: 201, object: write(draft) };
      },
    };
  }

  async function decide(user: User, spec: Spec): Promise<unknown> {
    if (user.groups.includes(MASTERS)) return { allowed: true };
    const { allowed, reason }: Decision = await authorizer.authorize(user, attributesOf(spec));
    return { allowed, ...(reason ? { reason } : {}) };
  }

  return [
    served(AUTHORIZATION, {
      kind: 'SelfSubjectAccessReview',
      problems: (spec, metadata) => [...whatProblems(spec), ...selectorProblems(spec), ...metadataProblems(metadata)],
      answer: ({ user }, spec) => decide(user, spec),
    }),
    served(AUTHORIZATION, {
      kind: 'SubjectAccessReview',
      problems: (spec, metadata) => [
        ...whatProblems(spec),
        ...whoProblems(spec),
        ...selectorProblems(spec),
        ...metadataProblems(metadata),
      ],
      answer: (_request, spec) => decide(userOf(spec), spec),
    }),
    served(AUTHORIZATION, {
      kind: 'LocalSubjectAccessReview',
      namespaced: true,
      problems: (spec, metadata) => [
        ...whatProblems(spec),
        ...whoProblems(spec),
        ...selectorProblems(spec),
        ...metadataProblems(metadata, 'namespace'),
        ...whereProblems(spec, metadata.namespace),
      ],
      answer: (_request, spec) => decide(userOf(spec), spec),
    }),
    served(AUTHORIZATION, {
      kind: 'SelfSubjectRulesReview',
      async answer({ user }, spec, draft) {
        const namespace = text(spec['namespace']);
        if (namespace === '') throw badRequest('no namespace on request');
        // Kubernetes answers this one without repeating the question.
        draft['spec'] = {};
        clear(draft.metadata);
        const rules = await authorizer.rules?.(user, namespace);
        return rules ?? { resourceRules: [], nonResourceRules: [], incomplete: true };
      },
    }),
    served(AUTHENTICATION, {
      kind: 'SelfSubjectReview',
      async answer({ user }, _spec, draft) {
        clear(draft.metadata);
        draft.metadata.creationTimestamp = rfc3339(core.clock.now());
        return { userInfo: userInfo(user) };
      },
    }),
    served(AUTHENTICATION, {
      kind: 'TokenReview',
      async answer(_request, spec) {
        const token = text(spec['token']);
        if (token === '') throw badRequest('token is required for TokenReview in authentication');
        const known = await whoseToken(authenticators, token, texts(spec['audiences']));
        if (!known) return { user: {}, error: 'invalid bearer token' };
        const { audiences, ...user } = known;
        return { authenticated: true, user: userInfo(withGroup(user, AUTHENTICATED)), audiences };
      },
    }),
  ];
}

/** What only the server says of an object, and never of a review. */
const SERVERS_OWN = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'];

/** These two are answered without anything of what was sent. */
function clear(metadata: VirtualObject['metadata']): void {
  for (const field of Object.keys(metadata)) Reflect.deleteProperty(metadata, field);
}

function attributesOf(spec: Spec): Attributes {
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

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function userOf(spec: Spec): User {
  return {
    name: text(spec['user']),
    groups: texts(spec['groups']),
    ...(spec['uid'] ? { uid: text(spec['uid']) } : {}),
  };
}

function userInfo({ name, uid, groups, extra }: User) {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups,
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Whose token it is, if it is good for one of the audiences at least; none asked for means this server. */
async function whoseToken(authenticators: readonly Authenticator[], token: string, asked: readonly string[]) {
  const wanted = asked.length > 0 ? asked : [API_AUDIENCE];
  for (const authenticator of authenticators) {
    const found: Identity | undefined = await authenticator({ token, audiences: wanted });
    const audiences = (found?.audiences ?? [API_AUDIENCE]).filter((audience) => wanted.includes(audience));
    if (found && audiences.length > 0) return { ...found, audiences };
  }
  return undefined;
}
