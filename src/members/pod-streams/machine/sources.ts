/** ConfigMaps and Secrets that a pod refers to, read once each. */
import type { ConfigMap, Secret } from '#gen/kube/types.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export type Data = Readonly<Record<string, string>>;

export interface Sources {
  /** The keys of a ConfigMap; empty when there is none. */
  configMap(name: string | undefined): Promise<Data>;
  /** The keys of a Secret, decoded; empty when there is none. */
  secret(name: string | undefined): Promise<Data>;
}

export function sources(client: KubeClient, namespace: string): Sources {
  const read = new Map<string, Promise<Data>>();

  function once(resource: string, name: string | undefined, data: (object: KubeObject) => Data): Promise<Data> {
    if (!name) return Promise.resolve({});
    const id = `${resource}/${name}`;
    const known = read.get(id);
    if (known) return known;
    const reading = client.get({ group: '', version: 'v1', resource }, { namespace, name }).then(data, missing);
    read.set(id, reading);
    return reading;
  }

  return {
    configMap: (name) => once('configmaps', name, (object) => configData(object as ConfigMap)),
    secret: (name) => once('secrets', name, (object) => decoded((object as Secret).data)),
  };
}

function missing(error: unknown): Data {
  if (hasReason(error, 'NotFound')) return {};
  throw error;
}

function configData({ data = {}, binaryData }: ConfigMap): Data {
  return { ...decoded(binaryData), ...data };
}

function decoded(data: Data = {}): Data {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}
