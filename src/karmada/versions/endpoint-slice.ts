/** EndpointSlices before `discovery.k8s.io/v1`: where an endpoint is was said in one map. */
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldsOf, itemsOf } from './version.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

export function slicesToBeta(object: KubeObject): KubeObject {
  return { ...object, endpoints: itemsOf(object['endpoints']).map(oldEndpoint) };
}

export function slicesFromBeta(object: KubeObject): KubeObject {
  return { ...object, endpoints: itemsOf(object['endpoints']).map(newEndpoint) };
}

function oldEndpoint({ zone, deprecatedTopology, ...endpoint }: Fields): Fields {
  const { nodeName } = endpoint;
  const topology = {
    ...fieldsOf(deprecatedTopology),
    ...(zone === undefined ? {} : { [ZONE]: zone }),
    ...(nodeName === undefined ? {} : { [HOST]: nodeName }),
  };
  return Object.keys(topology).length === 0 ? endpoint : { ...endpoint, topology };
}

function newEndpoint({ topology, ...endpoint }: Fields): Fields {
  const { [ZONE]: zone, [HOST]: host, ...rest } = fieldsOf(topology);
  return {
    ...(host === undefined ? {} : { nodeName: host }),
    ...endpoint,
    ...(zone === undefined ? {} : { zone }),
    ...(Object.keys(rest).length === 0 ? {} : { deprecatedTopology: rest }),
  };
}
