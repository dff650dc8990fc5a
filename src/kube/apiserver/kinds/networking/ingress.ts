import type { Ingress, IngressClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { loadBalancerText } from '../core/load-balancer.ts';
import { type Given, kind } from '../kind.ts';
import { ingressClassRules, ingressClassUpdate, ingressCreate, ingressRules } from './ingress-rules.ts';

export const ingresses: ResourceDefinition = kind<Ingress>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
  {
    shortNames: ['ing'],
    validate: ingressCreate,
    validateUpdate: ingressRules,
    generation: 'spec',
    columns: [
      nameColumn,
      column<Ingress>('Class', 'Who serves it.', ({ spec }) => spec?.ingressClassName ?? '<none>'),
      column<Ingress>('Hosts', 'The hosts it answers for.', hostsText),
      column<Ingress>('Address', 'Where it is reached.', ({ status }) =>
        loadBalancerText(status?.loadBalancer?.ingress ?? []),
      ),
      column<Ingress>('Ports', 'The ports it listens on.', ({ spec }) =>
        (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
      ),
      ageColumn,
    ],
  },
);

/** The first three hosts; how many more is counted in rules, hosts or not. */
function hostsText({ spec }: Given<Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts = rules.map(({ host = '' }) => host).filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const third = rules.findIndex((_, at) => rules.slice(0, at + 1).filter(({ host }) => host).length === 3);
  const more = third >= 0 && third < rules.length - 1;
  return `${hosts.slice(0, 3).join(',')}${more ? ` + ${rules.length - 3} more...` : ''}`;
}

export const ingressClasses: ResourceDefinition = kind<IngressClass>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' },
  {
    generation: 'spec',
    validate: ingressClassRules,
    validateUpdate: ingressClassUpdate,
    defaults: ({ spec }) => {
      if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
    },
    columns: [
      nameColumn,
      column<IngressClass>('Controller', 'Who serves the class.', ({ spec }) => spec?.controller ?? ''),
      column<IngressClass>('Parameters', 'Its configuration.', parametersText),
      ageColumn,
    ],
  },
);

function parametersText({ spec }: Given<IngressClass>): string {
  const { kind, apiGroup, name } = spec?.parameters ?? {};
  if (!spec?.parameters) return '<none>';
  return `${kind ?? ''}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name ?? ''}`;
}
