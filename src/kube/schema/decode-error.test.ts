import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinSchema } from './builtin.ts';
import { decodeError } from './decode-error.ts';
import type { Schema } from './schema.ts';

function schema(group: string, version: string, kind: string): Schema {
  return builtinSchema({ group, version, kind }) ?? assert.fail(kind);
}
const configMap = schema('', 'v1', 'ConfigMap');
const deployment = schema('apps', 'v1', 'Deployment');
const pod = schema('', 'v1', 'Pod');
const secret = schema('', 'v1', 'Secret');
const lease = schema('coordination.k8s.io', 'v1', 'Lease');
const crd = schema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');

function container(fields: object): object {
  return { spec: { containers: [fields] } };
}

describe('decodeError', () => {
  const cases: [because: string, schema: Schema, value: unknown, message: string | undefined][] = [
    ['nothing of what fits', deployment, { spec: { replicas: 1, template: {} }, bogus: 1 }, undefined],
    ['nothing of nulls', deployment, { metadata: null, spec: { replicas: null, selector: null } }, undefined],
    [
      'the struct and the field',
      configMap,
      { data: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'the whole path, without positions',
      pod,
      container({ image: true }),
      'json: cannot unmarshal bool into Go struct field Container.spec.containers.image of type string',
    ],
    [
      'the declared name of a type',
      pod,
      container({ imagePullPolicy: 1 }),
      'json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
    ],
    [
      'lists',
      pod,
      { spec: { containers: {} } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'maps',
      configMap,
      { metadata: { labels: [] } },
      'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [
      'named maps',
      pod,
      container({ resources: { limits: 'x' } }),
      'json: cannot unmarshal string into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    ],
    [
      'structs',
      deployment,
      { spec: [] },
      'json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec',
    ],
    [
      'embedded structs',
      pod,
      { spec: { volumes: [{ emptyDir: 'x' }] } },
      'json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    ],
    [
      'fractions',
      deployment,
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'what is too large',
      deployment,
      { spec: { replicas: 2 ** 31 } },
      'json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'strings for numbers',
      deployment,
      { spec: { replicas: '1' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'int-or-strings',
      deployment,
      { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      'json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
    ['a wrong root', configMap, [], 'json: cannot unmarshal array into Go value of type v1.ConfigMap'],
    [
      'the first in the order of the document',
      configMap,
      { data: { a: 1 }, metadata: 5 },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'quantities',
      pod,
      container({ resources: { limits: { cpu: 'lots' } } }),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'suffixes of quantities',
      pod,
      container({ resources: { limits: { cpu: '1mm' } } }),
      "unable to parse quantity's suffix",
    ],
    ['numbers as quantities', pod, container({ resources: { limits: { cpu: 1.5 } } }), undefined],
    ['base64', secret, { data: { a: 'not base64!' } }, 'illegal base64 data at input byte 3'],
    ['good base64', secret, { data: { a: 'aGk=', b: '' } }, undefined],
    [
      'times',
      configMap,
      { metadata: { creationTimestamp: 'today' } },
      'parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"',
    ],
    [
      'times of day',
      lease,
      { spec: { renewTime: '2026-01-01T25:00:00.000000Z' } },
      'parsing time "2026-01-01T25:00:00.000000Z": hour out of range',
    ],
    [
      'numbers for times',
      configMap,
      { metadata: { creationTimestamp: 5 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    [
      'schemas',
      crd,
      { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 1 } } }] } },
      'boolean or JSON schema expected',
    ],
    [
      'schemas in schemas',
      crd,
      { spec: { versions: [{ schema: { openAPIV3Schema: { items: { type: 5 } } } }] } },
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string',
    ],
  ];
  for (const [because, schema, value, message] of cases) {
    it(`tells ${because}`, () => assert.equal(decodeError(schema, value), message));
  }

  it('of a custom resource, looks at the metadata alone', () => {
    const custom: Schema = { type: 'object' };
    assert.equal(decodeError(custom, { spec: 5 }), undefined);
    assert.equal(
      decodeError(custom, { metadata: { labels: { a: 1 } } }),
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
  });
});
