/**
 * How Karmada names what it makes, so that one object can be found from another without a lookup.
 *
 * The names are on the wire: a Work of ours must have the name that Karmada would have given it. All functions are
 * pure; none checks that its result is a valid Kubernetes name, the API server does.
 */
import { NAME_ALPHABET } from '#base/ids.ts';
import { LABELS, NAMESPACES } from '#karmada/apis/index.ts';

/** The name of a template's ResourceBinding or ClusterResourceBinding. */
export function bindingName(kind: string, name: string): string {
  return `${dnsName(name)}-${kind}`.toLowerCase();
}

/** The name of an object's Work, the same in every execution namespace. */
export function workName(kind: string, name: string, namespace?: string): string {
  const plain = dnsName(name).toLowerCase();
  const scope = namespace === undefined || namespace === '' ? '' : `${namespace}-`;
  return `${plain}-${encodedHash(`${scope}${plain}-${kind}`.toLowerCase())}`;
}

/** The namespace of the control plane that holds a cluster's Works. */
export function executionNamespace(cluster: string): string {
  return `${NAMESPACES.executionPrefix}${cluster}`;
}

/** The cluster whose Works a namespace holds; undefined for any other namespace. */
export function clusterOfExecutionNamespace(namespace: string): string | undefined {
  if (!namespace.startsWith(NAMESPACES.executionPrefix)) return undefined;
  return namespace.slice(NAMESPACES.executionPrefix.length);
}

/** Namespaces that are Karmada's own: nothing in them is ever propagated. */
export function isReservedNamespace(namespace: string): boolean {
  return (
    namespace === NAMESPACES.system ||
    namespace === NAMESPACES.cluster ||
    namespace.startsWith(NAMESPACES.executionPrefix)
  );
}

/** The hash by which a binding is referred to from label keys. */
export function bindingReferenceKey(name: string, namespace?: string): string {
  return encodedHash(namespace === undefined || namespace === '' ? name : `${namespace}/${name}`);
}

/** The label key on a dependency's binding that names the binding which needs it. */
export function dependedByLabel(name: string, namespace?: string): string {
  return `${LABELS.dependedByPrefix}${bindingReferenceKey(name, namespace)}`;
}

/**
 * The name of the policy that promoting an object creates.
 * `gvk` is Go's print of the type: `apps/v1, Kind=Deployment`.
 */
export function policyName(gvk: string, name: string, namespace = ''): string {
  return `${dnsName(name)}-${encodedHash(namespace + gvk)}`.toLowerCase();
}

/** The service account Karmada uses in a member. */
export function memberServiceAccountName(cluster: string): string {
  return `karmada-${cluster}`;
}

export const IMPERSONATOR_SERVICE_ACCOUNT = 'karmada-impersonator';

/** The cluster role (and its binding) of {@link memberServiceAccountName}. */
export function memberRoleName(cluster: string): string {
  return `karmada-controller-manager:${memberServiceAccountName(cluster)}`;
}

/** The secret of the control plane that holds the impersonator's token for a member. */
export function impersonationSecretName(cluster: string): string {
  return `${cluster}-impersonator`;
}

/** An EndpointSlice collected from a member for a ServiceImport. */
export function importedEndpointSliceName(cluster: string, endpointSlice: string): string {
  return `imported-${cluster}-${endpointSlice}`;
}

/** The Service that a ServiceImport stands for. */
export function derivedServiceName(service: string): string {
  return `derived-${service}`;
}

export function estimatorName(cluster: string): string {
  return `karmada-scheduler-estimator-${cluster}`;
}

/** FNV-1a, 32 bits, over the UTF-8 bytes. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

/** Role names may hold a colon, object names may not. */
function dnsName(name: string): string {
  return name.replaceAll(':', '.');
}

function encodedHash(text: string): string {
  return safeEncode(String(fnv32a(text)));
}

/** Kubernetes' SafeEncodeString: every character becomes one of the vowel-free alphabet. */
export function safeEncode(text: string): string {
  return Array.from(text, (char) => NAME_ALPHABET[char.charCodeAt(0) % NAME_ALPHABET.length]).join('');
}
