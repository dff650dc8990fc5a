/** What an Ingress may say of hosts, paths and who serves them. */
import { isIP } from 'node:net';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  TypedLocalObjectReference,
} from '#gen/kube/types.ts';
import { forbidden, invalid, invalidAll, required, tooLong } from '#kube/meta/field-error.ts';
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  pathSegmentProblems,
  portNameProblems,
  portNumberProblems,
  wildcardSubdomainProblems,
} from '#kube/meta/names.ts';
import { dnsSubdomain, immutable, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export function* ingressCreate(ingress: Given<Ingress>): Errors {
  yield* ingressRules(ingress);
  const annotated = ingress.metadata?.annotations?.[CLASS_ANNOTATION];
  const named = ingress.spec?.ingressClassName;
  if (annotated !== undefined && named !== undefined && annotated !== named) {
    yield invalid(
      `annotations.${CLASS_ANNOTATION}`,
      annotated,
      'must match `ingressClassName` when both are specified',
    );
  }
}

export function* ingressRules({ spec = {} }: Given<Ingress>): Errors {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    yield invalid('spec', spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend) yield* backend(defaultBackend, 'spec.defaultBackend');
  for (const [at, { host = '', http }] of rules.entries()) {
    const path = `spec.rules[${at}]`;
    if (isIP(host) !== 0) yield invalid(`${path}.host`, host, 'must be a DNS name, not an IP address');
    if (host !== '') yield* hostName(host, `${path}.host`);
    if (http && (http.paths ?? []).length === 0) yield required(`${path}.http.paths`);
    for (const [index, one] of (http?.paths ?? []).entries()) yield* httpPath(one, `${path}.http.paths[${index}]`);
  }
  for (const [at, { hosts = [], secretName = '' }] of tls.entries()) {
    for (const [index, host] of hosts.entries()) yield* hostName(host, `spec.tls[${at}].hosts[${index}]`);
    if (secretName !== '') yield* dnsSubdomain(secretName, `spec.tls[${at}].secretName`);
  }
  if (ingressClassName !== undefined) yield* dnsSubdomain(ingressClassName, 'spec.ingressClassName');
}

function hostName(host: string, path: string): Errors {
  return invalidAll(path, host, host.includes('*') ? wildcardSubdomainProblems(host) : dnsSubdomainProblems(host));
}

const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

/** How a path is read has to be said; exact and prefix paths are whole paths. */
function* httpPath(given: Given<HTTPIngressPath>, at: string): Errors {
  const { path = '', pathType } = given;
  if (pathType === undefined) return yield required(`${at}.pathType`, 'pathType must be specified');
  const whole = pathType === 'Exact' || pathType === 'Prefix';
  if (whole || (pathType === 'ImplementationSpecific' && path !== '')) {
    if (!path.startsWith('/')) yield invalid(`${at}.path`, path, 'must be an absolute path');
  }
  if (whole) {
    for (const part of FORBIDDEN_PARTS.filter((one) => path.includes(one))) {
      yield invalid(`${at}.path`, path, `must not contain '${part}'`);
    }
    for (const end of FORBIDDEN_ENDS.filter((one) => path.endsWith(one))) {
      yield invalid(`${at}.path`, path, `cannot end with '${end}'`);
    }
  } else yield* oneOf(pathType, ['Exact', 'ImplementationSpecific', 'Prefix'], `${at}.pathType`);
  yield* backend(given.backend ?? {}, `${at}.backend`);
}

function* backend({ resource, service }: Given<IngressBackend>, at: string): Errors {
  if (resource && service) return yield invalid(at, '', 'cannot set both resource and service backends');
  if (resource) return yield* reference(resource, `${at}.resource`);
  if (!service) return yield invalid(at, '', 'resource or service backend is required');
  const { name = '', port } = service;
  if (name === '') yield required(`${at}.service.name`);
  else yield* invalidAll(`${at}.service.name`, name, dns1035LabelProblems(name));
  if (port?.name && port.number) yield invalid(at, '', 'cannot set both port name & port number');
  else if (port?.name) yield* invalidAll(`${at}.service.port.name`, port.name, portNameProblems(port.name));
  else if (port?.number) yield* invalidAll(`${at}.service.port.number`, port.number, portNumberProblems(port.number));
  else yield required(at, 'port name or number is required');
}

function* reference({ apiGroup, kind = '', name = '' }: Given<TypedLocalObjectReference>, at: string): Errors {
  if (apiGroup !== undefined) yield* dnsSubdomain(apiGroup, `${at}.apiGroup`);
  for (const [field, value] of Object.entries({ kind, name })) {
    if (value === '') yield required(`${at}.${field}`);
    else yield* invalidAll(`${at}.${field}`, value, pathSegmentProblems(value));
  }
}

const MAX_CONTROLLER = 250;

export function* ingressClassRules({ spec = {} }: Given<IngressClass>): Errors {
  const { controller = '', parameters } = spec;
  if (controller.length > MAX_CONTROLLER) yield tooLong('spec.controller', MAX_CONTROLLER);
  yield* domainPrefixedPath(controller, 'spec.controller');
  if (!parameters) return;
  yield* reference(parameters, 'spec.parameters');
  yield* oneOf(parameters.scope, ['Cluster', 'Namespace'], 'spec.parameters.scope');
  const { scope, namespace } = parameters;
  if (scope === 'Namespace' && namespace === undefined) {
    yield required('spec.parameters.namespace', "`parameters.scope` is set to 'Namespace'");
  } else if (scope === 'Namespace') {
    yield* invalidAll('spec.parameters.namespace', namespace, dnsLabelProblems(namespace ?? ''));
  } else if (scope === 'Cluster' && namespace !== undefined) {
    yield forbidden('spec.parameters.namespace', "`parameters.scope` is set to 'Cluster'");
  }
}

function* domainPrefixedPath(value: string, at: string): Errors {
  if (value === '') return yield required(at);
  const slash = value.indexOf('/');
  const [host, path] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash <= 0 || path === '') {
    return yield invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  yield* invalidAll(at, host, dnsSubdomainProblems(host));
  const pattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  if (!new RegExp(`^${pattern}$`).test(path)) {
    yield invalid(at, path, `Invalid path (regex used for validation is '${pattern}')`);
  }
}

export function* ingressClassUpdate(ingressClass: Given<IngressClass>, old: Given<IngressClass>): Errors {
  yield* immutable(ingressClass.spec?.controller ?? '', old.spec?.controller ?? '', 'spec.controller');
  yield* ingressClassRules(ingressClass);
}
