/** How the API server is told to reach a webhook, in webhook configurations, CRDs and APIServices. */
import { invalid, required } from '#kube/meta/field-error.ts';
import { portNumberProblems } from '#kube/meta/names.ts';
import type { Errors } from './kind.ts';

export interface WebhookClient {
  readonly url?: string | undefined;
  readonly service?:
    | {
        readonly namespace?: string | undefined;
        readonly name?: string | undefined;
        readonly path?: string | undefined;
        readonly port?: number | undefined;
      }
    | undefined;
}

const FORM = '; desired format: https://host[/path]';

export function* webhookClient({ url, service }: WebhookClient, path: string): Errors {
  if ((url === undefined) === (service === undefined)) {
    return yield required(path, 'exactly one of url or service is required');
  }
  if (url !== undefined) yield* webhookUrl(url, `${path}.url`);
  if (service) yield* webhookService(service, `${path}.service`);
}

function* webhookUrl(text: string, path: string): Errors {
  const url = URL.parse(text);
  if (!url) return yield required(path, `url must be a valid URL: parse ${JSON.stringify(text)}${FORM}`);
  if (url.protocol !== 'https:') {
    yield invalid(path, url.protocol.slice(0, -1), `'https' is the only allowed URL scheme${FORM}`);
  }
  if (url.host === '') yield invalid(path, '', `host must be specified${FORM}`);
  if (url.username !== '') yield invalid(path, url.username, 'user information is not permitted in the URL');
  if (url.hash !== '') yield invalid(path, url.hash.slice(1), 'fragments are not permitted in the URL');
  if (url.search !== '') yield invalid(path, url.search.slice(1), 'query parameters are not permitted in the URL');
}

function* webhookService(
  { name, namespace, path: route, port }: NonNullable<WebhookClient['service']>,
  path: string,
): Errors {
  if (!name) yield required(`${path}.name`);
  if (!namespace) yield required(`${path}.namespace`);
  const problems = portNumberProblems(port ?? 0);
  if (problems.length > 0) yield invalid(`${path}.port`, port ?? 0, `port is not valid: ${problems.join(', ')}`);
  if (route !== undefined && !route.startsWith('/')) {
    yield invalid(`${path}.path`, route, "must start with a '/'");
  }
}

/** Versions of a review both sides may speak. */
export function* reviewVersions(versions: readonly string[], accepted: readonly string[], path: string): Errors {
  if (versions.length === 0) return yield required(path, `must specify one of ${accepted.join(', ')}`);
  for (const [at, version] of versions.entries()) {
    if (versions.indexOf(version) < at) yield invalid(`${path}[${at}]`, version, 'duplicate version');
  }
  if (!versions.some((version) => accepted.includes(version))) {
    yield invalid(path, versions, `must include at least one of ${accepted.join(', ')}`);
  }
}
