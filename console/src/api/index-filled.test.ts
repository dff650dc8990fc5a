import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { SearchResponseSchema } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { isFilled } from './index-filled.ts';

describe('the index', () => {
  const filled = (...revisions: string[]) =>
    isFilled(
      create(SearchResponseSchema, { freshness: revisions.map((revision) => ({ source: 'k-demo', revision })) }),
    );

  it('has read an instance once its revision is known', () => {
    assert.equal(filled('145'), true);
    assert.equal(filled(''), false);
  });

  it('that has not heard of it has not read it', () => {
    assert.equal(filled(), false);
  });
});
