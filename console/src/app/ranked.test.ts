import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { FoundSchema } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { ranked } from './ranked.ts';

const found = (kind: string, name: string, cluster = '') => create(FoundSchema, { cluster, resource: { kind, name } });
const shown = (all: readonly ReturnType<typeof found>[]) =>
  all.map(({ cluster, resource }) => [resource?.kind, resource?.name, cluster].filter(Boolean).join(' '));

describe('what the palette offers first', () => {
  it('is the workload, then its policies, then what else was written, then what became of it', () => {
    const all = [
      found('Pod', 'checkout-1', 'frankfurt'),
      found('Deployment', 'checkout', 'frankfurt'),
      found('ResourceBinding', 'checkout-deployment'),
      found('Service', 'checkout'),
      found('PropagationPolicy', 'checkout'),
      found('Deployment', 'checkout'),
    ];
    assert.deepEqual(shown(ranked(all, 'check')), [
      'Deployment checkout',
      'PropagationPolicy checkout',
      'Service checkout',
      'ResourceBinding checkout-deployment',
      'Deployment checkout frankfurt',
      'Pod checkout-1 frankfurt',
    ]);
  });

  it('begins with the words, among equals', () => {
    const all = [found('Deployment', 'old-web'), found('Deployment', 'Web-2'), found('Deployment', 'web')];
    assert.deepEqual(shown(ranked(all, 'web')), ['Deployment Web-2', 'Deployment web', 'Deployment old-web']);
  });
});
