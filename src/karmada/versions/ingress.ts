/** Ingresses before `networking.k8s.io/v1`: services and their ports side by side, and no path types. */
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldsOf, itemsOf } from './version.ts';

/** What a path without a type has always meant. */
const OLD_PATH_TYPE = 'ImplementationSpecific';

export function ingressToBeta(object: KubeObject): KubeObject {
  const { defaultBackend, ...spec } = fieldsOf(object['spec']);
  const backend = defaultBackend === undefined ? {} : { backend: oldBackend(fieldsOf(defaultBackend)) };
  return {
    ...object,
    spec: { ...withBackends(spec, (path) => ({ ...path, ...backendOf(path, oldBackend) })), ...backend },
  };
}

export function ingressFromBeta(object: KubeObject): KubeObject {
  const { backend, ...spec } = fieldsOf(object['spec']);
  const defaultBackend = backend === undefined ? {} : { defaultBackend: newBackend(fieldsOf(backend)) };
  const path = (old: Fields) => ({ pathType: OLD_PATH_TYPE, ...old, ...backendOf(old, newBackend) });
  return { ...object, spec: { ...withBackends(spec, path), ...defaultBackend } };
}

function backendOf({ backend }: Fields, shape: (backend: Fields) => Fields): Fields {
  return backend === undefined ? {} : { backend: shape(fieldsOf(backend)) };
}

function oldBackend({ service, ...rest }: Fields): Fields {
  if (service === undefined) return rest;
  const { name, port } = fieldsOf(service);
  const { number, name: portName } = fieldsOf(port);
  return { ...rest, serviceName: name, servicePort: number ?? portName };
}

function newBackend({ serviceName, servicePort, ...rest }: Fields): Fields {
  if (serviceName === undefined) return rest;
  const port = typeof servicePort === 'number' ? { number: servicePort } : { name: servicePort };
  return { ...rest, service: { name: serviceName, port } };
}

function withBackends(spec: Fields, path: (path: Fields) => Fields): Fields {
  if (spec['rules'] === undefined) return spec;
  const rules = itemsOf(spec['rules']).map((rule) => {
    if (rule['http'] === undefined) return rule;
    const http = fieldsOf(rule['http']);
    return { ...rule, http: { ...http, paths: itemsOf(http['paths']).map(path) } };
  });
  return { ...spec, rules };
}
