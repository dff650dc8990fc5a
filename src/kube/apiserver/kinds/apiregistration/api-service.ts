import type { APIService } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { goJson, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { dns1035LabelProblems, pathSegmentProblems, portNumberProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { dnsSubdomain } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

const HTTPS_PORT = 443;

export const apiServices: ResourceDefinition = kind<APIService>(
  { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' },
  {
    categories: ['api-extensions'],
    validate: apiServiceRules,
    statusKeeps: META_FIELDS,
    name: pathSegmentProblems,
    unconditionalUpdate: false,
    defaults: ({ spec }) => {
      if (spec?.service) spec.service.port ??= HTTPS_PORT;
    },
    create: (service) => {
      // A group served by this very server is there as soon as it is named.
      if (!service.spec?.service)
        service.status = {
          conditions: [
            { type: 'Available', status: 'True', reason: 'Local', message: 'Local APIServices are always available' },
          ],
        };
    },
    columns: [
      nameColumn,
      column<APIService>('Service', 'Who serves the group.', ({ spec }) =>
        spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local',
      ),
      column<APIService>('Available', 'Whether it answers.', availableText),
      ageColumn,
    ],
  },
);

function availableText({ status }: Given<APIService>): string {
  const condition = (status?.conditions ?? []).find(({ type }) => type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status ?? ''} (${condition.reason ?? ''})`;
}

function* apiServiceRules({ metadata, spec = {} }: Given<APIService>): Errors {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  const wanted = `${version}.${group}`;
  if (metadata?.name !== wanted) {
    yield invalid('metadata.name', metadata?.name ?? '', `must be \`spec.version+"."+spec.group\`: ${goJson(wanted)}`);
  }
  if (group === '' && version !== 'v1') {
    yield required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') yield* dnsSubdomain(group, 'spec.group');
  yield* invalidAll('spec.version', version, dns1035LabelProblems(version));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    yield invalid('spec.groupPriorityMinimum', groupPriorityMinimum, 'must be positive and less than 20000');
  }
  if (versionPriority <= 0 || versionPriority > 1_000) {
    yield invalid('spec.versionPriority', versionPriority, 'must be positive and less than 1000');
  }
  yield* serverRules(spec);
}

function* serverRules({
  service,
  caBundle = '',
  insecureSkipTLSVerify,
}: NonNullable<Given<APIService>['spec']>): Errors {
  const path = 'spec.insecureSkipTLSVerify';
  if (!service) {
    const bytes = Buffer.byteLength(caBundle, 'base64');
    if (bytes > 0) yield invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle');
    if (insecureSkipTLSVerify) yield invalid(path, true, 'local APIServices may not have insecureSkipTLSVerify');
    return;
  }
  if (!service.namespace) yield required('spec.service.namespace');
  if (!service.name) yield required('spec.service.name');
  const problems = portNumberProblems(service.port ?? 0);
  if (problems.length > 0) {
    yield invalid('spec.service.port', service.port ?? 0, `port is not valid: ${problems.join(', ')}`);
  }
  if (insecureSkipTLSVerify && caBundle !== '') yield invalid(path, true, 'may not be true if caBundle is present');
}
