/** `POST …/serviceaccounts/{name}/token`: makes a bound token, as `kubectl create token` asks for. */
import type { Pod, TokenRequestSpec } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { badRequest, hasReason } from '#base/status-error.ts';
import { virtualKind } from '#kube/apiserver/builtin/virtual-object.ts';
import type { ApiExtension } from '#kube/apiserver/extension.ts';
import { conflict, invalid } from '#kube/apiserver/failures.ts';
import { type FieldError, invalid as invalidValue } from '#kube/meta/field-error.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { ObjectKey } from '#kube/meta/object.ts';
import { ACCOUNTS, NODES, PODS, SECRETS, type ServiceAccountDeps } from './service-account-authenticator.ts';
import { type BoundTo, ISSUER, type ObjectRef } from './service-account-token.ts';

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const;

/** Kubernetes' bounds of a token's life, in seconds. */
const SHORTEST = 600;
const LONGEST = 2 ** 32;
const USUAL = 3600;

type Spec = Partial<TokenRequestSpec>;

export function tokenRequests(deps: ServiceAccountDeps & { readonly ids: Ids }): ApiExtension {
  const { signer, client, clock, ids } = deps;
  const { read, record, write } = virtualKind(KIND);

  async function refOf(gvr: Gvr, key: ObjectKey): Promise<ObjectRef> {
    const { metadata } = await client().get(gvr, key);
    return { name: metadata.name, uid: metadata.uid ?? '' };
  }

  async function podRef(key: ObjectKey, account: string): Promise<BoundTo> {
    const { metadata, spec } = await client().get<Pod>(PODS, key);
    if (spec?.serviceAccountName !== account) {
      const what = `token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name`;
      throw badRequest(`cannot bind ${what}.`);
    }
    const node = spec.nodeName ? await nodeRef(spec.nodeName) : undefined;
    return { pod: { name: metadata.name, uid: metadata.uid ?? '' }, ...(node ? { node } : {}) };
  }

  /** A node that is gone is still worth naming: the pod's token is bound to the pod alone. */
  async function nodeRef(name: string): Promise<ObjectRef> {
    return refOf(NODES, { name }).catch((error: unknown) => {
      if (hasReason(error, 'NotFound')) return { name, uid: '' };
      throw error;
    });
  }

  async function boundTo(spec: Spec, namespace: string, account: string): Promise<BoundTo> {
    if (!spec.boundObjectRef) return {};
    const { apiVersion = '', kind = '', name = '', uid } = spec.boundObjectRef;
    const key = { namespace, name };
    const bound = await found();
    const actual = (bound.pod ?? bound.secret ?? bound.node)?.uid;
    if (uid && uid !== actual) {
      const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw conflict({ group: '', resource: kind }, name, why);
    }
    return bound;

    async function found(): Promise<BoundTo> {
      if (apiVersion !== 'v1' && apiVersion !== '') throw unbindable(apiVersion, kind);
      if (kind === 'Pod') return podRef(key, account);
      if (kind === 'Secret') return { secret: await refOf(SECRETS, key) };
      if (kind === 'Node') return { node: await refOf(NODES, { name }) };
      throw unbindable(apiVersion, kind);
    }
  }

  return {
    ...ACCOUNTS,
    subresource: 'token',
    kind: KIND,
    namespaced: true,
    verbs: ['create'],
    async serve(request) {
      const { namespace = '', name = '' } = request;
      const draft = await read(request);
      const now = clock.now();
      record(draft, request, now, 'token');
      refuseOther('name', draft.metadata.name, name, name);
      refuseOther('namespace', draft.metadata.namespace, namespace, name);
      const account = { namespace, ...(await refOf(ACCOUNTS, { namespace, name })) };
      const asked = (draft['spec'] ?? {}) as Spec;
      const seconds = asked.expirationSeconds ?? USUAL;
      const audiences = asked.audiences?.length ? asked.audiences : [ISSUER];
      const errors = lifeProblems(seconds);
      if (errors.length > 0) throw invalid(KIND, '', errors);

      const bound = await boundTo(asked, namespace, name);
      const token = signer.bound(account, { ...bound, audiences, now, seconds, id: ids.uid() });
      const { managedFields } = draft.metadata;
      draft.metadata = { ...account, creationTimestamp: rfc3339(now), ...(managedFields ? { managedFields } : {}) };
      draft['spec'] = { audiences, expirationSeconds: seconds, boundObjectRef: asked.boundObjectRef ?? null };
      draft['status'] = { token, expirationTimestamp: rfc3339(now + seconds * 1000) };
      return { code: 201, object: write(draft) };
    },
  };
}

function lifeProblems(seconds: number): readonly FieldError[] {
  const problem = (rule: string) => [invalidValue('spec.expirationSeconds', seconds, rule)];
  if (seconds < SHORTEST) return problem('may not specify a duration less than 10 minutes');
  return seconds > LONGEST ? problem('may not specify a duration larger than 2^32 seconds') : [];
}

function refuseOther(field: 'name' | 'namespace', found: string | undefined, wanted: string, name: string): void {
  if (!found || found === wanted) return;
  const rule = `must match the service account ${field} if specified`;
  throw invalid(KIND, name, [invalidValue(`metadata.${field}`, found, rule)]);
}

function unbindable(apiVersion: string, kind: string) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}
