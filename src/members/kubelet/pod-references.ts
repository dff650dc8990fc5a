/** The ConfigMaps and Secrets a pod cannot start without. Pure. */
import type { Container, Pod } from '#gen/kube/types.ts';

export interface Reference {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
  /** Who needs it: a container for its environment, or a volume. */
  readonly by: { readonly container: string } | { readonly volume: string };
}

export function referencesOf({ spec }: Pod): readonly Reference[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return [...containers.flatMap(environmentOf), ...(spec?.volumes ?? []).flatMap(sourcesOf)];
}

interface Named {
  readonly name?: string;
  readonly optional?: boolean;
}

function environmentOf({ name: container, env = [], envFrom = [] }: Container): readonly Reference[] {
  const by = { container };
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...needed('configmap', configMapRef, by),
      ...needed('secret', secretRef, by),
    ]),
    ...env.flatMap(({ valueFrom }) => [
      ...needed('configmap', valueFrom?.configMapKeyRef, by),
      ...needed('secret', valueFrom?.secretKeyRef, by),
    ]),
  ];
}

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

function sourcesOf({ name: volume, configMap, secret, projected }: Volume): readonly Reference[] {
  const by = { volume };
  const named = ({ secretName, optional }: NonNullable<Volume['secret']>): Named => ({
    ...(secretName === undefined ? {} : { name: secretName }),
    ...(optional === undefined ? {} : { optional }),
  });
  return [
    ...needed('configmap', configMap, by),
    ...needed('secret', secret && named(secret), by),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...needed('configmap', source.configMap, by),
      ...needed('secret', source.secret, by),
    ]),
  ];
}

/** The authority of the server is with every token; nothing in a simulated container looks at it. */
const ROOT_CA = 'kube-root-ca.crt';

function needed(kind: Reference['kind'], source: Named | undefined, by: Reference['by']): readonly Reference[] {
  if (source?.name === undefined || source.name === ROOT_CA || source.optional === true) return [];
  return [{ kind, name: source.name, by }];
}
