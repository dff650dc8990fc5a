/**
 * Looks at a kubeconfig before anything is kept of it: can it be read, can its server be reached and trusted, whom does
 * the server take its bearer for, is it a Kubernetes we know, and may the bearer do what is needed? Every check says
 * what it found; what is missing is named right by right.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { clusterConfig, type HttpClient, httpClient, parseKubeconfig } from '#kube/client/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { type Credential, credentialOf } from './credential.ts';

export interface ImportReport {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** What the bearer may not do and would need to. */
  readonly missing: readonly Right[];
  readonly server?: string;
  readonly version?: string;
  readonly user?: string;
  readonly kubeSystemID?: string;
  readonly credential?: Credential;
}

export interface Check {
  readonly name: 'kubeconfig' | 'reachable' | 'authenticated' | 'version' | 'expiry' | 'rights' | 'serves';
  readonly ok: boolean;
  readonly message: string;
}

export interface Right {
  readonly verb: string;
  /** `*`: of all groups. */
  readonly group: string;
  readonly resource: string;
}

/** To be indexed a cluster must be readable; to be part of an instance it must be writable too. */
export type Purpose = 'read' | 'manage';

export interface ValidateOptions {
  readonly purpose?: Purpose;
  /** A group of APIs without which it is not what it is taken for. */
  readonly serves?: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const MINIMUM = { major: 1, minor: 20 };
const VERBS: Readonly<Record<Purpose, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  manage: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
};
const REVIEWS = (resource: string, group: string, version = 'v1') => ({ group, version, resource });
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const ASKED_AT_ONCE = 8;

export async function validateKubeconfig(text: string, options: ValidateOptions = {}): Promise<ImportReport> {
  const { clock = systemClock, timeoutMs = 10_000, purpose = 'manage' } = options;
  const checks: Check[] = [];
  const passed = (name: Check['name'], message: string) => void checks.push({ name, ok: true, message });
  const failed = (name: Check['name'], error: unknown): void =>
    void checks.push({ name, ok: false, message: error instanceof Error ? messageOf(error) : String(error) });

  let config: ClusterConfig;
  try {
    config = { ...(await clusterConfig(parseKubeconfig(text))), timeoutMs, clock };
    passed('kubeconfig', `server ${config.server}`);
  } catch (error) {
    failed('kubeconfig', error);
    return { ok: false, checks, missing: [] };
  }
  const credential = credentialOf(config);
  const known = { server: config.server, credential };
  const expired = credential.expiresAt !== undefined && credential.expiresAt <= clock.now();
  checks.push({ name: 'expiry', ok: !expired, message: expiryMessage(credential, expired) });

  const client = httpClient(config);
  try {
    let version: string;
    try {
      version = versionIn(await client.getText('/version', options.signal));
      passed('reachable', `${config.server} answers`);
    } catch (error) {
      failed(hasReason(error, 'Unauthorized', 'Forbidden') ? 'authenticated' : 'reachable', error);
      return { ...known, ok: false, checks, missing: [] };
    }
    checks.push(versionCheck(version));
    const user = await userOf(client).catch((error: unknown) => failed('authenticated', error));
    if (user === undefined) return { ...known, version, ok: false, checks, missing: [] };
    passed('authenticated', `the server takes the bearer for ${user}`);
    const missing = await missingRights(client, VERBS[purpose]);
    checks.push(rightsCheck(missing, purpose));
    if (options.serves !== undefined) checks.push(await servesCheck(client, options.serves));
    const kubeSystemID = await identityOf(client);
    const ok = checks.every((check) => check.ok);
    return { ...known, ok, checks, missing, version, user, ...(kubeSystemID === undefined ? {} : { kubeSystemID }) };
  } catch (error) {
    failed('rights', error);
    return { ...known, ok: false, checks, missing: [] };
  } finally {
    client.close();
  }
}

/** In one line, for people. */
export function problemsOf({ checks }: ImportReport): string {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, message }) => `${name}: ${message}`)
    .join('; ');
}

function expiryMessage({ type, expiresAt }: Credential, expired: boolean): string {
  if (expiresAt === undefined)
    return type === 'none' ? 'there is no credential in it' : `the ${type} does not say when it ends`;
  return `the ${type} ${expired ? 'ended' : 'ends'} at ${new Date(expiresAt).toISOString()}`;
}

function versionIn(text: string): string {
  const value: unknown = JSON.parse(text);
  const version = isObject(value) ? value['gitVersion'] : undefined;
  return typeof version === 'string' ? version : '';
}

function versionCheck(version: string): Check {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const known = Number(major) > MINIMUM.major || (Number(major) === MINIMUM.major && Number(minor) >= MINIMUM.minor);
  const message = known
    ? version
    : `${version || 'no version'}: Kubernetes v${MINIMUM.major}.${MINIMUM.minor} or newer is needed`;
  return { name: 'version', ok: known, message };
}

async function servesCheck(client: HttpClient, group: string): Promise<Check> {
  try {
    await client.getText(`/apis/${group}`);
    return { name: 'serves', ok: true, message: `it serves ${group}` };
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    return { name: 'serves', ok: false, message: `it does not serve ${group}` };
  }
}

/** Servers before 1.28 cannot be asked who somebody is; that an access review is answered shows enough there. */
async function userOf(client: HttpClient): Promise<string> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
  try {
    const { status } = await client.create(REVIEWS('selfsubjectreviews', 'authentication.k8s.io'), review);
    const info = isObject(status) ? status['userInfo'] : undefined;
    return isObject(info) ? String(info['username']) : 'somebody';
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'MethodNotAllowed')) throw error;
    await allowed(client, { verb: 'get', group: '', resource: 'namespaces' });
    return 'somebody';
  }
}

async function allowed(client: HttpClient, { verb, group, resource }: Right): Promise<boolean> {
  const { status } = await client.create(REVIEWS('selfsubjectaccessreviews', 'authorization.k8s.io'), {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: { verb, group, resource } },
  });
  return isObject(status) && status['allowed'] === true;
}

/** Whoever may do everything is asked once; of all others it is found out what they lack, kind by kind. */
async function missingRights(client: HttpClient, verbs: readonly string[]): Promise<readonly Right[]> {
  if (await allowed(client, { verb: '*', group: '*', resource: '*' })) return [];
  const general = await Promise.all(
    verbs.map(async (verb) => ((await allowed(client, { verb, group: '*', resource: '*' })) ? [] : [verb])),
  );
  const lacking = general.flat();
  if (lacking.length === 0) return [];
  const kinds = (await client.discover()).filter((kind) => kind.verbs.includes('list') && kind.verbs.includes('watch'));
  const seen = new Map(kinds.map((kind) => [`${kind.resource}.${kind.group}`, kind]));
  const wanted = [...seen.values()].flatMap(({ group, resource, verbs: offered }) =>
    lacking.filter((verb) => offered.includes(verb)).map((verb) => ({ verb, group, resource })),
  );
  const missing: Right[] = [];
  for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE) {
    const some = wanted.slice(at, at + ASKED_AT_ONCE);
    const answers = await Promise.all(some.map((right) => allowed(client, right)));
    missing.push(...some.filter((_, index) => !answers[index]));
  }
  return missing;
}

const NAMED = 5;

function rightsCheck(missing: readonly Right[], purpose: Purpose): Check {
  if (missing.length === 0) return { name: 'rights', ok: true, message: `the bearer may ${purpose} everything` };
  const named = missing
    .slice(0, NAMED)
    .map(({ verb, group, resource }) => `${verb} ${resource}${group === '' ? '' : `.${group}`}`);
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return { name: 'rights', ok: false, message: `the bearer may not ${named.join(', ')}${more}` };
}

/** The uid of `kube-system`; undefined where there is none or it may not be seen. */
export async function identityOf(client: Pick<HttpClient, 'get'>, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const found = await client.get(NAMESPACES, { name: 'kube-system' }, signal ? { signal } : {});
    return found.metadata.uid;
  } catch (error) {
    if (hasReason(error, 'NotFound', 'Forbidden')) return undefined;
    throw error;
  }
}

/** The chain of causes says what the network said. */
function messageOf(error: Error): string {
  const { cause } = error;
  const deeper = cause instanceof Error && !error.message.includes(cause.message) ? `: ${cause.message}` : '';
  return `${error.message}${deeper}`;
}
