import type { Pod, PodTemplateSpec } from '#gen/kube/types.ts';
import type { Unnamed } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { defined } from '../defined.ts';
import { controlledBy, namespaceOf } from '../owners.ts';

/** The pod a controller makes from its template; `more` overrides the metadata and spec it would have. */
export function podFromTemplate(
  owner: KubeObject,
  template: PodTemplateSpec | undefined,
  more: {
    readonly name?: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly spec?: Pod['spec'];
  } = {},
): Unnamed<Pod> {
  const { metadata = {}, spec } = template ?? {};
  const finalizers = [...(metadata.finalizers ?? []), ...(more.finalizers ?? [])];
  const generateName = more.generateName ?? `${owner.metadata.name}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(more.name === undefined ? { generateName } : { name: more.name }),
      namespace: namespaceOf(owner),
      labels: { ...metadata.labels, ...more.labels },
      annotations: { ...metadata.annotations, ...more.annotations },
      ownerReferences: [controlledBy(owner)],
      ...(finalizers.length > 0 ? { finalizers } : {}),
    },
    ...defined({ spec: more.spec ?? spec }),
  };
}
