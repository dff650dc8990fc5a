/** What a Cluster may say; as karmada v1.18 pkg/apis/cluster/validation. */
import type { Cluster, ClusterSpec, LocalSecretReference, ResourceModel, Taint } from '#karmada/apis/index.ts';
import { duplicate, type FieldError, invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { dnsLabelProblems, labelValueProblems, maxLengthProblem, qualifiedNameProblems } from '#kube/meta/names.ts';
import { compareQuantities, parseQuantity } from '#kube/meta/quantity.ts';
import { UNBOUNDED } from './cluster-defaults.ts';

/** A namespace is made of the name and a prefix, and must still fit. */
const NAME_MAX_LENGTH = 48;

export function clusterNameProblems(name: string): readonly string[] {
  if (name === '') return ['must be not empty'];
  return name.length > NAME_MAX_LENGTH ? [maxLengthProblem(NAME_MAX_LENGTH)] : dnsLabelProblems(name);
}

export function clusterErrors({ metadata, spec }: Cluster): FieldError[] {
  return [
    ...invalidAll('metadata.name', metadata.name, clusterNameProblems(metadata.name)),
    ...syncModeErrors(spec.syncMode),
    ...(spec.apiEndpoint ? endpointErrors(spec.apiEndpoint) : []),
    ...secretErrors(spec.secretRef, 'spec.secretRef'),
    ...secretErrors(spec.impersonatorSecretRef, 'spec.impersonatorSecretRef'),
    ...(spec.proxyURL ? proxyErrors(spec.proxyURL) : []),
    ...locationErrors(spec),
    ...taintErrors(spec.taints ?? []),
    ...modelErrors(spec.resourceModels ?? []),
  ];
}

function syncModeErrors(mode: string | undefined): FieldError[] {
  if (mode === 'Push' || mode === 'Pull') return [];
  const missing = mode ? [] : [required('spec.syncMode')];
  return [...missing, notSupported('spec.syncMode', mode ?? '', ['Pull', 'Push'])];
}

const ENDPOINT_FORM = '; desired format: hostname, hostname:port, IP or IP:port';

function endpointErrors(endpoint: string): FieldError[] {
  const path = 'spec.apiEndpoint';
  const url = URL.parse(endpoint);
  if (!url) return [invalid(path, endpoint, `apiEndpoint must be a valid URL${ENDPOINT_FORM}`)];
  const errors: FieldError[] = [];
  if (url.host === '') errors.push(invalid(path, '', `host must be provided${ENDPOINT_FORM}`));
  if (url.username !== '') {
    errors.push(invalid(path, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash !== '') errors.push(invalid(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    errors.push(invalid(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return errors;
}

function proxyErrors(proxy: string): FieldError[] {
  const url = URL.parse(proxy);
  if (!url) return [invalid('spec.proxyURL', proxy, 'proxyURL must be a valid URL')];
  const scheme = url.protocol.slice(0, -1);
  if (['http', 'https', 'socks5'].includes(scheme)) return [];
  const problem = `unsupported scheme ${JSON.stringify(scheme)}, must be http, https, or socks5`;
  return [invalid('spec.proxyURL', proxy, problem)];
}

function secretErrors(ref: LocalSecretReference | undefined, path: string): FieldError[] {
  if (!ref) return [];
  return [...(ref.namespace ? [] : [required(`${path}.namespace`)]), ...(ref.name ? [] : [required(`${path}.name`)])];
}

/** Placements select clusters by these, so they must be usable as label values. */
function locationErrors(spec: ClusterSpec): FieldError[] {
  const labelValue = (path: string, value: string) => {
    const problems = labelValueProblems(value);
    return problems.length === 0 ? [] : [invalid(path, value, problems.join('; '))];
  };
  const errors = [...labelValue('spec.provider', spec.provider ?? ''), ...labelValue('spec.region', spec.region ?? '')];
  if (spec.zone && spec.zones?.length) {
    return [...errors, invalid('spec.zone', spec.zone, 'Zone and Zones cannot co-exist')];
  }
  return [
    ...errors,
    ...labelValue('spec.Zone', spec.zone ?? ''),
    ...(spec.zones ?? []).flatMap((zone) => labelValue('spec.Zones', zone)),
  ];
}

function taintErrors(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = `spec.taints[${index}]`;
    const errors = [
      ...invalidAll(`${path}.key`, taint.key, qualifiedNameProblems(taint.key)),
      ...invalidAll(`${path}.value`, taint.value ?? '', labelValueProblems(taint.value ?? '')),
    ];
    if (!taint.effect) errors.push(required(`${path}.effect`));
    else if (taint.effect === 'PreferNoSchedule' || !['NoSchedule', 'NoExecute'].includes(taint.effect)) {
      errors.push(notSupported(`${path}.effect`, taint.effect, ['NoSchedule', 'NoExecute']));
    }
    const identity = `${taint.effect} ${taint.key}`;
    if (seen.has(identity)) {
      const twice = duplicate(path, taint);
      errors.push({ ...twice, message: `${twice.message}: taints must be unique by key and effect pair` });
    }
    seen.add(identity);
    return errors;
  });
}

function modelErrors(models: readonly ResourceModel[]): FieldError[] {
  for (const [index, model] of models.entries()) {
    const problem = modelProblem(model, models[index - 1], index === models.length - 1);
    if (problem) return [invalid('spec.resourceModels', models, problem)];
  }
  return [];
}

function modelProblem(model: ResourceModel, before: ResourceModel | undefined, last: boolean): string | undefined {
  if (before?.grade === model.grade) return 'The grade of each models should not be the same';
  if (before && before.ranges.length !== model.ranges.length) return 'The number of resource types should be the same';
  for (const [index, { name, min, max }] of model.ranges.entries()) {
    if (compare(max, min) <= 0) {
      return 'The max value of each resource must be greater than the min value';
    }
    const previous = before?.ranges[index];
    if (!before && compare(min, '0') !== 0) {
      return 'The min value of each resource in the first model should be 0';
    }
    if (previous && previous.name !== name) return 'The resource types of each models should be the same';
    if (previous && compare(previous.max, min) !== 0) {
      return 'Model intervals for resources must be contiguous and non-overlapping';
    }
    if (last && String(max) !== UNBOUNDED) {
      return 'The max value of each resource in the last model should be MaxInt64';
    }
  }
  return undefined;
}

function compare(a: string | number, b: string | number): number {
  return compareQuantities(parseQuantity(a), parseQuantity(b));
}
