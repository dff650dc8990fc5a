import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinSchema } from './builtin.ts';
import { orderFields } from './order-fields.ts';
import { parseJson } from './parse-json.ts';
import type { Schema } from './schema.ts';
import { strictErrors } from './strict-errors.ts';
import { dropUnknownFields, unknownFields } from './unknown-fields.ts';

const configMap = builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' }) ?? assert.fail();
const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }) ?? assert.fail();
const crd = builtinSchema({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });

function dropped(schema: Schema, value: object): object {
  const draft: Record<string, unknown> = structuredClone({ ...value });
  dropUnknownFields(schema, draft);
  return draft;
}

describe('built-in kinds', () => {
  const strange = {
    zz: 1,
    spec: { template: { spec: { containers: [{ name: 'a', foo: 1 }], volumes: [{ emptyDir: { bar: {} } }] } } },
    metadata: { labels: { anything: 'goes' }, constructor: 1 },
  };

  it('unknown fields are told in the order of the document', () => {
    assert.deepEqual(unknownFields(deployment, strange), [
      'zz',
      'spec.template.spec.containers[0].foo',
      'spec.template.spec.volumes[0].emptyDir.bar',
      'metadata.constructor',
    ]);
    assert.deepEqual(unknownFields(deployment, dropped(deployment, strange)), []);
  });

  it('strict errors mix unknown and duplicate fields as they come, as a real server does', () => {
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"s1","foo":1},"data":{"a":"1","a":"2"},"zz":{"q":1,"q":2}}';
    assert.deepEqual(strictErrors(configMap, body, parseJson(body, { duplicates: true })), [
      'unknown field "metadata.foo"',
      'duplicate field "data.a"',
      'unknown field "zz"',
    ]);
  });

  it('are decoded as Go does: nulls and empty optional values go, pointers to zero stay', () => {
    const draft = dropped(deployment, {
      metadata: { labels: {}, annotations: null, name: '' },
      spec: {
        replicas: 0,
        paused: false,
        minReadySeconds: 0,
        revisionHistoryLimit: null,
        selector: { matchLabels: {} },
      },
    });
    assert.deepEqual(draft, {
      metadata: {},
      spec: {
        replicas: 0,
        selector: {},
        template: { metadata: {}, spec: { containers: null } },
        strategy: {},
      },
      status: {},
    });
  });

  it('take the canonical form of quantities and times', () => {
    const pod = builtinSchema({ group: '', version: 'v1', kind: 'Pod' }) ?? assert.fail();
    const draft = dropped(pod, {
      metadata: { creationTimestamp: '2026-01-01T02:00:00.5+02:00' },
      spec: {
        containers: [{ name: 'a', resources: { limits: { cpu: 0.5, memory: '1024Mi', x: '1000m', y: '1Gi' } } }],
      },
    });
    assert.deepEqual(draft, {
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: '500m', memory: '1Gi', x: '1', y: '1Gi' } } }] },
      status: {},
    });
  });

  it('lose unknown fields inside the schemas of a CRD, which nobody is told of', () => {
    assert.ok(crd);
    const value = (props: object) => ({ spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: props } }] } });
    const strange = value({ items: { type: 'string', zz: 1 }, additionalProperties: false, default: { any: null } });
    const { spec } = dropped(crd, strange) as ReturnType<typeof value>;
    assert.deepEqual(unknownFields(crd, strange), []);
    assert.deepEqual(spec.versions[0]?.schema.openAPIV3Schema, {
      items: { type: 'string' },
      additionalProperties: false,
      default: { any: null },
    });
  });
});

describe('custom resources', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } } } },
          any: {
            type: 'object',
            preserveUnknownFields: true,
            properties: { known: { type: 'object', properties: {} } },
          },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { v: { type: 'string' } } } },
          loose: { type: 'object', additionalProperties: true },
          embedded: { type: 'object', embeddedResource: true, properties: { spec: { type: 'object' } } },
        },
      },
    },
  };
  const value = {
    extra: 1,
    apiVersion: 'a/v1',
    kind: 'A',
    metadata: { name: 'x', foo: 1 },
    spec: {
      unknown: 1,
      toString: 1,
      list: [{ k: 'a', z: 1 }],
      any: { x: { y: 1 }, known: { a: 1 } },
      map: { q: { v: 'a', w: 1 } },
      loose: { scalar: 1, object: { a: 1 } },
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', bar: 1 }, spec: { q: 1 }, z: 1 },
    },
  };
  const pruned = [
    'extra',
    'spec.any.known.a',
    'spec.embedded.spec.q',
    'spec.embedded.z',
    'spec.list[0].z',
    'spec.loose.object.a',
    'spec.map.q.w',
    'spec.toString',
    'spec.unknown',
  ];

  it('unknown fields are told sorted, those of the metadata before and of embedded metadata after', () => {
    assert.deepEqual(unknownFields(schema, value), ['metadata.foo', ...pruned, 'spec.embedded.metadata.bar']);
  });

  it('are pruned, but for what the schema preserves', () => {
    assert.deepEqual(dropped(schema, value), {
      apiVersion: 'a/v1',
      kind: 'A',
      metadata: { name: 'x' },
      spec: {
        list: [{ k: 'a' }],
        any: { x: { y: 1 }, known: {} },
        map: { q: { v: 'a' } },
        loose: { scalar: 1, object: {} },
        embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
      },
    });
  });

  it('strict errors tell duplicates first', () => {
    const body = '{"metadata":{"name":"a"},"spec":{"unknown":1,"unknown":2}}';
    assert.deepEqual(strictErrors(schema, body, parseJson(body, { duplicates: true })), [
      'duplicate field "spec.unknown"',
      'unknown field "spec.unknown"',
    ]);
  });
});

describe('orderFields', () => {
  it('writes built-in kinds in the order of their structs, maps sorted, with what Go always writes', () => {
    const object = {
      status: { replicas: 1 },
      spec: {
        template: { spec: { schedulerName: 's', containers: [{ image: 'i', name: 'n' }] } },
        selector: { matchLabels: { b: '1', a: '2' } },
        replicas: 1,
      },
      metadata: { uid: 'u', name: 'n' },
      apiVersion: 'apps/v1',
      kind: 'Deployment',
    };
    assert.equal(
      JSON.stringify(orderFields(deployment, object)),
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"n","uid":"u"},"spec":{"replicas":1,' +
        '"selector":{"matchLabels":{"a":"2","b":"1"}},"template":{"metadata":{},"spec":{"containers":[{"name":"n",' +
        '"image":"i","resources":{}}],"schedulerName":"s"}},"strategy":{}},"status":{"replicas":1}}',
    );
    assert.ok(!('metadata' in object.spec.template), 'the object itself is left alone');
  });

  it('writes a new CRD as a real server does', () => {
    assert.ok(crd);
    const object = { spec: { versions: [], scope: 'Cluster', group: 'g' }, status: { storedVersions: ['v1'] } };
    assert.equal(
      JSON.stringify(orderFields(crd, object)),
      '{"metadata":{},"spec":{"group":"g","names":{"plural":"","kind":""},"scope":"Cluster","versions":[]},' +
        '"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":["v1"]}}',
    );
  });

  it('keeps the place of an empty resourceVersion', () => {
    const ordered = orderFields(configMap, { metadata: { uid: 'u', resourceVersion: '', name: 'n' } });
    assert.deepEqual(Object.keys(ordered.metadata), ['name', 'uid', 'resourceVersion']);
  });

  it('sorts custom resources at every level', () => {
    const ordered = orderFields({ type: 'object' }, { b: [{ d: 1, c: { f: 1, e: null } }], a: 1 });
    assert.equal(JSON.stringify(ordered), '{"a":1,"b":[{"c":{"e":null,"f":1},"d":1}]}');
  });

  it('changes nothing when done twice, nor by decoding in between', () => {
    const draft = {
      spec: { selector: {}, template: { spec: { containers: [{ name: 'a' }] } } },
      metadata: { name: 'x' },
    };
    dropUnknownFields(deployment, draft);
    const once = orderFields(deployment, draft);
    assert.equal(JSON.stringify(orderFields(deployment, once)), JSON.stringify(once));
    const again: Record<string, unknown> = structuredClone(once);
    dropUnknownFields(deployment, again);
    assert.deepEqual(again, once);
  });
});
