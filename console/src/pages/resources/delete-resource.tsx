/** Deleting a resource: not while it is protected, used by somebody, or has something in it, and it says by whom and what. */
import { useQuery } from '@connectrpc/connect-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import {
  CLAIM,
  CONFIG_MAP,
  INGRESS,
  NAMESPACE,
  OVERRIDE,
  PROPAGATION,
  SECRET,
  SERVICE,
  WORKLOADS,
} from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { DeleteObject } from '../../parts/object-dialogs.tsx';
import { changesOf } from './changes.ts';
import { PROTECTED } from './resource-text.ts';
import { usersOf } from './users.ts';

const MOST = 500;
const NAMED = 6;
const INSIDE = [...WORKLOADS, SERVICE, INGRESS, CONFIG_MAP, SECRET, CLAIM, PROPAGATION, OVERRIDE];
const USERS = [...WORKLOADS, INGRESS];
const USABLE: readonly string[] = [CONFIG_MAP.kind, SECRET.kind, CLAIM.kind];

interface Props {
  readonly of: ObjectRef;
  readonly object: Thing;
  readonly onClose: () => void;
  readonly onDone: () => unknown;
}

export function DeleteResource({ of, object, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const around = useAround(of);
  return (
    <DeleteObject
      of={of}
      remove={() => changesOf(of.kind).remove(of)}
      refused={refusal(t, of, object, around)}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

/** Every namespace has these by itself. */
const ITS_OWN = new Set(['ConfigMap/kube-root-ca.crt', 'ConfigMap/istio-ca-root-cert']);

/** What is in a namespace, or beside what may be used, workloads first; undefined while it is being asked for. */
export function useAround({ instance, kind, namespace, name }: ObjectRef): readonly Thing[] | undefined {
  const isSpace = kind.kind === NAMESPACE.kind;
  const kinds = isSpace ? INSIDE : USABLE.includes(kind.kind) ? USERS : [];
  const { data } = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [
        ...kinds.map((one) => `kind:${one.group ? `${one.resource}.${one.group}` : one.kind.toLowerCase()}`),
        `namespace:${isSpace ? name : namespace} cluster:-`,
      ].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    { enabled: kinds.length > 0 },
  );
  if (kinds.length === 0) return [];
  const place = (word: string) => kinds.findIndex((one) => one.kind === word);
  return data?.items
    .flatMap(({ object }) => (object ? [object as unknown as Thing] : []))
    .filter(({ kind: of, metadata }) => !ITS_OWN.has(`${of}/${metadata.name}`))
    .toSorted((one, other) => place(one.kind) - place(other.kind));
}

function refusal(t: TFunction, { kind, name }: ObjectRef, object: Thing, around: readonly Thing[] | undefined) {
  if (object.metadata.labels?.[PROTECTED] === 'Always') return t('resourceUse.protected');
  if (!around) return t('state.loading');
  const isSpace = kind.kind === NAMESPACE.kind;
  const found = isSpace ? around : usersOf(kind.kind, name, around);
  if (found.length === 0) return undefined;
  const names = found.slice(0, NAMED).map((one) => `${one.kind} ${one.metadata.name}`);
  const listed = found.length > NAMED ? [...names, '…'] : names;
  return t(isSpace ? 'resourceUse.inside' : 'resourceUse.users', { count: found.length, names: listed.join(', ') });
}
