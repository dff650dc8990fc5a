/** Environment variables and where their values come from. */
import type { Container, EnvVar, EnvVarSource } from '#gen/kube/types.ts';
import { invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { configKeyProblems, dnsSubdomainProblems, envNameProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { dnsLabel, noBacksteps } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const RESOURCE_FIELDS = ['cpu', 'ephemeral-storage', 'memory']
  .flatMap((name) => [`limits.${name}`, `requests.${name}`])
  .sort();

export function* env(variables: readonly Given<EnvVar>[], path: string): Errors {
  for (const [at, variable] of variables.entries()) {
    const { name = '', value = '', valueFrom } = variable;
    if (name === '') yield required(`${path}[${at}].name`);
    else yield* invalidAll(`${path}[${at}].name`, name, envNameProblems(name));
    if (valueFrom) yield* envSource(valueFrom, value, `${path}[${at}].valueFrom`);
  }
}

function* envSource(source: Given<EnvVarSource>, value: string, path: string): Errors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) yield* fieldReference(fieldRef, `${path}.fieldRef`, ENV_FIELDS);
  if (resourceFieldRef) yield* resourceReference(resourceFieldRef, `${path}.resourceFieldRef`, false);
  if (configMapKeyRef) yield* keyReference(configMapKeyRef, `${path}.configMapKeyRef`);
  if (secretKeyRef) yield* keyReference(secretKeyRef, `${path}.secretKeyRef`);
  if (fileKeyRef) yield* fileReference(fileKeyRef, `${path}.fileKeyRef`);
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((one) => one).length;
  if (sources === 0) {
    yield invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  } else if (value !== '') yield invalid(path, '', 'may not be specified when `value` is not empty');
  else if (sources > 1) yield invalid(path, '', 'may not have more than one field specified at a time');
}

/** A field of the pod itself, for the environment or, with labels and annotations, for a volume. */
export function* fieldReference(
  { apiVersion = '', fieldPath = '' }: NonNullable<Given<EnvVarSource>['fieldRef']>,
  path: string,
  supported: readonly string[] = VOLUME_FIELDS,
): Errors {
  if (apiVersion === '') return yield required(`${path}.apiVersion`);
  if (fieldPath === '') return yield required(`${path}.fieldPath`);
  const [, field, key] = /^(.*)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (field === 'metadata.annotations' || field === 'metadata.labels') {
    const name = field === 'metadata.annotations' ? (key ?? '').toLowerCase() : (key ?? '');
    yield* invalidAll(path, name, qualifiedNameProblems(name));
  } else if (field !== undefined) {
    yield invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: field label does not support subscript`);
  } else if (![...ENV_FIELDS, ...VOLUME_FIELDS].includes(fieldPath)) {
    yield invalid(
      `${path}.fieldPath`,
      fieldPath,
      `error converting fieldPath: field label not supported: ${fieldPath}`,
    );
  } else if (!supported.includes(fieldPath)) yield notSupported(`${path}.fieldPath`, fieldPath, supported);
}

export function* resourceReference(
  { containerName = '', resource = '' }: NonNullable<Given<EnvVarSource>['resourceFieldRef']>,
  path: string,
  ofVolume: boolean,
): Errors {
  if (ofVolume && containerName === '') yield required(`${path}.containerName`);
  else if (resource === '') yield required(`${path}.resource`);
  else if (!RESOURCE_FIELDS.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource)) {
    yield notSupported(`${path}.resource`, resource, RESOURCE_FIELDS);
  }
}

function* keyReference(
  { name = '', key = '' }: NonNullable<Given<EnvVarSource>['secretKeyRef']>,
  path: string,
): Errors {
  yield* invalidAll(`${path}.name`, name, dnsSubdomainProblems(name));
  if (key === '') yield required(`${path}.key`);
  else yield* invalidAll(`${path}.key`, key, configKeyProblems(key));
}

function* fileReference(reference: NonNullable<Given<EnvVarSource>['fileKeyRef']>, at: string): Errors {
  const { key = '', volumeName = '', path = '' } = reference;
  if (key === '') yield required(`${at}.key`);
  else yield* invalidAll(`${at}.key`, key, envNameProblems(key));
  if (volumeName === '') yield required(`${at}.volumeName`);
  else yield* dnsLabel(volumeName, `${at}.volumeName`);
  if (path === '') yield required(`${at}.path`);
  else yield* noBacksteps(path, `${at}.path`);
}

export function* envFrom(sources: NonNullable<Given<Container>['envFrom']>, path: string): Errors {
  for (const [at, { prefix = '', configMapRef, secretRef }] of sources.entries()) {
    if (prefix !== '') yield* invalidAll(`${path}[${at}].prefix`, prefix, envNameProblems(prefix));
    if (configMapRef) yield* sourceName(configMapRef.name, `${path}[${at}].configMapRef.name`);
    if (secretRef) yield* sourceName(secretRef.name, `${path}[${at}].secretRef.name`);
    if (!configMapRef && !secretRef) yield invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (configMapRef && secretRef) yield invalid(path, '', 'may not have more than one field specified at a time');
  }
}

function* sourceName(name: string | undefined, path: string): Errors {
  if (!name) yield required(path);
  else yield* invalidAll(path, name, dnsSubdomainProblems(name));
}
