import type { KindCases } from '../kind-cases.ts';

export const ingress: KindCases = {
  kind: 'Ingress',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } },
  refused: [
    [
      'it serves something',
      { 'spec/defaultBackend': undefined },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    [
      'a path says how it is read',
      {
        'spec/rules': [{ http: { paths: [{ path: '/', backend: { service: { name: 'a', port: { number: 1 } } } }] } }],
      },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    [
      'a prefix is absolute',
      {
        'spec/rules': [
          {
            http: {
              paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 1 } } } }],
            },
          },
        ],
      },
      'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
    ],
    [
      'path types are known',
      {
        'spec/rules': [
          {
            http: {
              paths: [{ path: '/', pathType: 'Regex', backend: { service: { name: 'a', port: { number: 1 } } } }],
            },
          },
        ],
      },
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
    [
      'a host is a name',
      { 'spec/rules': [{ host: '10.0.0.1' }] },
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    ['a rule has paths', { 'spec/rules': [{ http: { paths: [] } }] }, 'spec.rules[0].http.paths: Required value'],
    [
      'a backend has a port',
      { 'spec/defaultBackend/service/port': {} },
      'spec.defaultBackend: Required value: port name or number is required',
    ],
  ],
};

export const ingressClass: KindCases = {
  kind: 'IngressClass',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { controller: 'example.com/controller' } },
  refused: [
    [
      'a controller has a domain',
      { 'spec/controller': 'mine' },
      'spec.controller: Invalid value: "mine": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'parameters in a namespace say which',
      { 'spec/parameters': { kind: 'K', name: 'n', scope: 'Namespace' } },
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
  ],
  fixed: [
    [
      'the controller stays',
      { 'spec/controller': 'example.com/other' },
      'spec.controller: Invalid value: "example.com/other": field is immutable',
    ],
    [
      'there is a controller',
      { spec: undefined },
      'spec.controller: Invalid value: "": field is immutable',
      'spec.controller: Required value',
    ],
  ],
};

export const networkPolicy: KindCases = {
  kind: 'NetworkPolicy',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { podSelector: {} } },
  refused: [
    [
      'a peer is described',
      { 'spec/ingress': [{ from: [{}] }] },
      'spec.ingress[0].from[0]: Required value: must specify a peer',
    ],
    [
      'a block stands alone',
      { 'spec/egress': [{ to: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
      'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [
      'exceptions are inside',
      { 'spec/egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] },
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
    [
      'a range goes upwards',
      { 'spec/ingress': [{ ports: [{ port: 80, endPort: 79 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
    ],
    [
      'a range has numbers',
      { 'spec/ingress': [{ ports: [{ port: 'http', endPort: 90 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric',
    ],
    [
      'directions are known',
      { 'spec/policyTypes': ['Sideways'] },
      'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
    ],
  ],
};

export const ipAddress: KindCases = {
  kind: 'IPAddress',
  apiVersion: 'networking.k8s.io/v1',
  least: {
    metadata: { name: '10.0.0.1' },
    spec: { parentRef: { resource: 'services', name: 'web', namespace: 'default' } },
  },
  refused: [['someone uses it', { 'spec/parentRef': undefined }, 'spec.parentRef: Required value']],
};

export const serviceCidr: KindCases = {
  kind: 'ServiceCIDR',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { cidrs: ['10.0.0.0/16'] } },
  refused: [
    ['a range is told', { 'spec/cidrs': [] }, 'spec.cidrs: Required value: at least one CIDR required'],
    [
      'ranges are ranges',
      { 'spec/cidrs': ['10.0.0.1'] },
      'spec.cidrs[0]: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
  fixed: [
    [
      'ranges stay',
      { 'spec/cidrs': ['10.1.0.0/16'] },
      'spec.cidrs: Invalid value: ["10.1.0.0/16"]: field is immutable',
    ],
  ],
};

export const endpointSlice: KindCases = {
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  least: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
  refused: [
    [
      'addresses are of the type told',
      { 'endpoints/0/addresses': ['::2'] },
      'endpoints[0].addresses: Invalid value: "::2": must be an IPv4 address',
    ],
    [
      'an endpoint has an address',
      { 'endpoints/0/addresses': [] },
      'endpoints[0].addresses: Required value: must contain at least 1 address',
    ],
    [
      'types are known',
      { addressType: 'Post' },
      'addressType: Unsupported value: "Post": supported values: "FQDN", "IPv4", "IPv6"',
    ],
    [
      'hints name zones and nodes, each once',
      { 'endpoints/0/hints': { forZones: [{ name: 'a' }, { name: 'a' }], forNodes: [{ name: 'Always' }] } },
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
      'endpoints[0].hints.forNodes[0].name: Invalid value: "Always": a lowercase RFC 1123 subdomain…',
    ],
    [
      'hints are few',
      { 'endpoints/0/hints': { forZones: 'abcdefghi'.split('').map((name) => ({ name })) } },
      'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items',
    ],
  ],
  fixed: [
    [
      'the type stays',
      { addressType: 'FQDN', 'endpoints/0/addresses': ['a.b'] },
      'addressType: Invalid value: "FQDN": field is immutable',
    ],
  ],
};
