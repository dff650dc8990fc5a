import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { revisionsOf } from './revisions.ts';

const told = (cluster: string, revision: bigint, image: string, createdAt: bigint, current = false) => ({
  cluster,
  revision,
  createdAt,
  current,
  images: [image],
  template: { image },
});

describe('revisions', () => {
  it('are one for each template, whatever each cluster calls it', () => {
    const found = revisionsOf([
      told('a', 2n, 'web:2', 20n, true),
      told('a', 1n, 'web:1', 10n),
      told('b', 5n, 'web:2', 21n, true),
      told('b', 4n, 'web:1', 11n),
    ]);
    assert.deepEqual(
      found.map(({ images, clusters, isCurrent }) => [images[0], clusters.join(), isCurrent]),
      [
        ['web:2', 'a,b', true],
        ['web:1', 'a,b', false],
      ],
    );
  });

  it('are named by a cluster that has them', () => {
    const [newest] = revisionsOf([told('b', 7n, 'web:3', 5n)]);
    assert.deepEqual([newest?.cluster, newest?.revision], ['b', 7n]);
  });
});
