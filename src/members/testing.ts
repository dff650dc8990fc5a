/** For tests: pods and nodes as they are stored. */
import type { Node, Pod } from '#gen/kube/types.ts';

export function podOf(name: string, more: { spec?: object; status?: object; metadata?: object } = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, ...more.metadata },
    spec: { containers: [{ name: 'c', image: 'web:1' }], ...more.spec },
    status: { phase: 'Pending', ...more.status },
  };
}

export function readyPod(
  name: string,
  since = '2026-01-01T00:00:00Z',
  more: { spec?: object; metadata?: object } = {},
): Pod {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: since }];
  return podOf(name, {
    ...more,
    spec: { nodeName: 'n1', ...more.spec },
    status: { phase: 'Running', conditions },
  });
}

export function nodeNamed(name: string, cpu = '8', spec: NonNullable<Node['spec']> = {}, labels = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu, memory: '4Gi', pods: '3' } },
  };
}
