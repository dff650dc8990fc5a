/** Where a webhook is: at its URL, or at its Service; as karmada v1.18 customized/webhook/serviceresolvers.go. */
import { isIPv6 } from 'node:net';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { ResourceInterpreterWebhook } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { fieldAt, listAt, stringAt } from '../fields.ts';

export interface HookAddress {
  /** Scheme, host and port. */
  readonly server: string;
  readonly path: string;
  /** The name its certificate must carry, where that is not the host. */
  readonly tlsServerName?: string;
}

/** A Service of the control plane; undefined when there is none. */
export type FindService = (namespace: string, name: string) => Promise<KubeObject | undefined>;

const HTTPS_PORT = 443;

type ServiceReference = NonNullable<ResourceInterpreterWebhook['clientConfig']['service']>;

export async function hookAddress(
  { url, service }: ResourceInterpreterWebhook['clientConfig'],
  findService: FindService,
): Promise<HookAddress> {
  if (url !== undefined) {
    const { origin, pathname } = new URL(url);
    return { server: origin, path: pathname };
  }
  if (!service) throw badRequest('webhook configuration must have either service or URL');
  const { namespace, name, path = '/', port = HTTPS_PORT } = service;
  const found = await findService(namespace, name);
  // One that is not here may still have a name that the network knows.
  const host = found ? hostOf(found, service) : `${name}.${namespace}.svc`;
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    path: path.startsWith('/') ? path : `/${path}`,
    tlsServerName: `${name}.${namespace}.svc`,
  };
}

function hostOf(service: KubeObject, { name, port = HTTPS_PORT }: ServiceReference): string {
  const type = stringAt(service, 'spec', 'type') ?? 'ClusterIP';
  const clusterIp = stringAt(service, 'spec', 'clusterIP') ?? '';
  if (type === 'ExternalName') return stringAt(service, 'spec', 'externalName') ?? '';
  if (!['ClusterIP', 'LoadBalancer', 'NodePort'].includes(type)) {
    throw badRequest(`unsupported service type ${JSON.stringify(type)}`);
  }
  if (clusterIp === 'None') throw badRequest('cannot route to service with ClusterIP "None"');
  if (!listAt(service, 'spec', 'ports').some((candidate) => fieldAt(candidate, 'port') === port)) {
    throw new StatusError('ServiceUnavailable', `no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  return clusterIp;
}
