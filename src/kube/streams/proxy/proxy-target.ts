/** Whom a proxied request is for: a pod, a pod behind a service, or a node; by name, `name:port` or `scheme:name:port`. */
import type { Duplex } from 'node:stream';
import type { Node, Pod, Service } from '#gen/kube/types.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { portIn } from '../port-forward/forward-port.ts';
import type { StreamDeps } from '../stream-deps.ts';

export type Proxied = 'pod' | 'service' | 'node';

export interface ProxyTarget {
  readonly https: boolean;
  connect(signal: AbortSignal): Promise<Duplex>;
}

interface Asked {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const PODS: Gvr = { group: '', version: 'v1', resource: 'pods' };
const SERVICES: Gvr = { group: '', version: 'v1', resource: 'services' };
const NODES: Gvr = { group: '', version: 'v1', resource: 'nodes' };

export function parseTarget(kind: Proxied, id: string): Asked {
  const parts = id.split(':');
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts, ''];
  if (parts.length > 3 || !name || !['', 'http', 'https'].includes(scheme ?? '')) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`);
  }
  return { scheme: scheme ?? '', name, port: port ?? '' };
}

export async function proxyTarget(
  deps: StreamDeps,
  kind: Proxied,
  id: string,
  namespace: string | undefined,
): Promise<ProxyTarget> {
  const asked = parseTarget(kind, id);
  const key = { name: asked.name, ...(namespace === undefined ? {} : { namespace }) };
  const { streams } = deps;
  const client = deps.client();
  if (kind === 'node') {
    const node = await client.get<Node>(NODES, key);
    const port = asked.port === '' ? undefined : portNumber(asked.port);
    return {
      https: asked.scheme === 'https' && port !== undefined,
      connect: (signal) => streams.connectNode(node, port, signal),
    };
  }
  const https = asked.scheme === 'https';
  if (kind === 'pod') {
    const pod = await client.get<Pod>(PODS, key);
    if (!pod.status?.podIP) throw badRequest('address not allowed');
    const port = asked.port === '' ? firstPort(pod, https) : portNumber(asked.port);
    return { https, connect: (signal) => streams.connect(pod, port, signal) };
  }
  const { pod, port } = await behindService(deps, await client.get<Service>(SERVICES, key), asked);
  return { https, connect: (signal) => streams.connect(pod, port, signal) };
}

function portNumber(text: string): number {
  const port = portIn(text);
  if (port === undefined) throw badRequest(`unable to parse ${JSON.stringify(text)} as a port`);
  return port;
}

const portsOf = (pod: Pod) => (pod.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);

function firstPort(pod: Pod, https: boolean): number {
  return portsOf(pod)[0]?.containerPort ?? (https ? 443 : 80);
}

/** A ready pod that the service selects, another one each time, and the port of it that the service stands for. */
async function behindService(deps: StreamDeps, service: Service, { name, port }: Asked) {
  const { ports = [], selector } = service.spec ?? {};
  const number = /^\d+$/.test(port) ? Number(port) : undefined;
  const servicePort = ports.find((one) => (number === undefined ? (one.name ?? '') === port : one.port === number));
  if (!servicePort && number !== undefined) {
    throw new StatusError('ServiceUnavailable', `no service port ${number} found for service "${name}"`);
  }
  const pods = servicePort && selector ? await selected(deps, service, selector) : [];
  const ready = pods.flatMap((pod) => {
    const target = targetPort(pod, servicePort?.targetPort ?? servicePort?.port);
    return target === undefined ? [] : [{ pod, port: target }];
  });
  const chosen = ready[deps.turn() % Math.max(1, ready.length)];
  if (!chosen) throw new StatusError('ServiceUnavailable', `no endpoints available for service "${name}"`);
  return chosen;
}

async function selected(deps: StreamDeps, service: Service, selector: Readonly<Record<string, string>>) {
  const labelSelector = Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { namespace } = service.metadata;
  const { items } = await deps.client().list<Pod>(PODS, {
    labelSelector,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return items.filter(isReady);
}

function isReady({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return metadata.deletionTimestamp === undefined && ready === true;
}

function targetPort(pod: Pod, wanted: string | number | undefined): number | undefined {
  if (typeof wanted === 'number') return wanted;
  return portIn(wanted) ?? portsOf(pod).find(({ name }) => name === wanted)?.containerPort;
}
