import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJson } from '@bufbuild/protobuf';
import { EverythingSchema } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { InstanceSchema, InstanceStatus_State } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import * as fc from 'fast-check';
import { asMessage } from './as-message.ts';

const json = (object: unknown) => toJson(EverythingSchema, asMessage(EverythingSchema, object));

describe('An object as a message', () => {
  it('has the fields the message names, as they are', () => {
    const object = { text: 'a', flag: true, small: 3, nested: { name: 'n', count: 1 }, unknown: 'x' };
    assert.deepEqual(json(object), { text: 'a', flag: true, small: 3, nested: { name: 'n', count: 1 } });
  });

  it('tells times in milliseconds and quantities in units where the API has numbers', () => {
    assert.deepEqual(json({ large: '2026-11-15T00:00:00Z', small: '2Ki', largeUnsigned: '1500m' }), {
      large: '1794700800000',
      small: 2048,
      largeUnsigned: '2',
    });
  });

  it('tells a number as text where the API has text', () => {
    assert.deepEqual(json({ text: 8080, texts: ['a', 1] }), { text: '8080', texts: ['a', '1'] });
  });

  it('finds constants and names whatever their spelling', () => {
    assert.deepEqual(
      json({ colour: 'Red', colours: ['COLOUR_GREEN', 'green', 'mauve'], Flag: true, 'odd-NAME': 'x' }),
      {
        colour: 'COLOUR_RED',
        colours: ['COLOUR_GREEN', 'COLOUR_GREEN'],
        flag: true,
        'ODD-name': 'x',
      },
    );
  });

  it('finds a constant whose prefix is not that of its type', () => {
    const status = { state: 'RUNNING' };
    assert.equal(asMessage(InstanceSchema, { status }).status?.state, InstanceStatus_State.INSTANCE_STATE_RUNNING);
  });

  it('takes maps and lists of messages', () => {
    assert.deepEqual(json({ labels: { a: 'b' }, named: { n: { count: 1, more: 2 } }, children: [{ name: 'c' }] }), {
      labels: { a: 'b' },
      named: { n: { count: 1 } },
      children: [{ name: 'c' }],
    });
  });

  it('leaves out what does not fit, and keeps the rest', () => {
    assert.deepEqual(json({ small: 1e12, flag: 'yes', nested: 'no', children: {}, text: 'kept' }), { text: 'kept' });
  });

  it('takes the first of several that exclude each other', () => {
    assert.deepEqual(json({ choiceText: 'a', choiceNested: { name: 'b' } }), { choiceText: 'a' });
  });

  it('is never refused, whatever the object holds', () => {
    const names = EverythingSchema.fields.map(({ jsonName }) => jsonName);
    const object = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(object, (value) => void json(value)),
      { seed: 61, numRuns: 500 },
    );
  });
});
