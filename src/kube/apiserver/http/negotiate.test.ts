import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasReason } from '#base/status-error.ts';
import { negotiate, negotiateFailure, negotiateWatch } from './negotiate.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('What a client accepts', () => {
  const cases: readonly [accept: string | undefined, answer: object][] = [
    [undefined, { media: 'json' }],
    ['*/*', { media: 'json' }],
    ['application/yaml', { media: 'yaml' }],
    ['application/vnd.kubernetes.protobuf, */*', { media: 'json' }],
    ['application/vnd.kubernetes.protobuf,application/json', { media: 'json' }],
    [
      `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
      { media: 'json', as: 'Table', version: 'v1' },
    ],
    ['application/json;as=Strange;v=v1;g=meta.k8s.io,application/json', { media: 'json' }],
    ['text/html, application/json;q=0.9', { media: 'json' }],
  ];
  for (const [accept, answer] of cases) {
    it(`${accept} is answered with ${JSON.stringify(answer)}`, () => assert.deepEqual(negotiate(accept), answer));
  }

  it('is refused when nothing of it can be given', () => {
    for (const accept of ['text/html', 'application/json;as=Strange;v=v1;g=meta.k8s.io']) {
      assert.throws(
        () => negotiate(accept),
        (error) => hasReason(error, 'NotAcceptable'),
      );
      assert.deepEqual(negotiateFailure(accept), { media: 'json' });
    }
    assert.throws(
      () => negotiateWatch('application/yaml'),
      (error) => hasReason(error, 'NotAcceptable'),
    );
  });
});
