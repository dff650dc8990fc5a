import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import { builtinSchema } from '#kube/schema/index.ts';
import { answers, deploymentSchema, thingSchema } from './testing.ts';
import { writtenForm } from './written-form.ts';

describe('writtenForm', () => {
  it('is what the real server wrote, for every object of the dialogue', () => {
    let seen = 0;
    for (const object of answers()) {
      const { apiVersion, kind } = object as { apiVersion: string; kind: string };
      const schema = builtinSchema({ ...parseApiVersion(apiVersion), kind });
      if (!schema) continue;
      assert.equal(writtenForm(schema, object), object, kind);
      seen++;
    }
    assert.ok(seen > 50);
  });

  it('adds what Go always writes and leaves out what is empty', () => {
    const spec = {
      paused: false,
      minReadySeconds: 0,
      replicas: 0,
      template: { spec: { containers: [{ name: 'c', args: [] }] } },
    };
    assert.deepEqual(writtenForm(deploymentSchema, { metadata: { labels: {}, finalizers: null }, spec }), {
      metadata: {},
      spec: {
        replicas: 0,
        selector: null,
        template: { metadata: {}, spec: { containers: [{ name: 'c', resources: {} }] } },
        strategy: {},
      },
      status: {},
    });
  });

  it('leaves custom resources as they are', () => {
    const object = { metadata: { labels: {} }, spec: { text: '' } };
    assert.equal(writtenForm(thingSchema, object), object);
  });
});
