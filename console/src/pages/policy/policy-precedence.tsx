/** Where a policy stands: for each template it describes, the ladder it is a rung of. */
import { useQuery } from '@connectrpc/connect-query';
import { Select, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { type Kind, kindNamed } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { PrecedenceLadder } from './precedence-ladder.tsx';
import { ladderOf } from './precedence.ts';

const ROUTE = '/i/$instance/policies/$kind/$namespace/$name';
const MOST = 200;

interface Selector {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export function PolicyPrecedence({ of, policy }: { readonly of: ObjectRef; readonly policy: Thing }) {
  const { t } = useTranslation();
  const { of: chosen } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const { instance, namespace, name } = of;
  const kinds = kindsOf(policy);
  const { data } = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [
        ...kinds.map((kind) => `kind:${kind.group ? `${kind.resource}.${kind.group}` : kind.kind.toLowerCase()}`),
        'cluster:-',
        ...(namespace ? [`namespace:${namespace}`] : []),
      ].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    { enabled: kinds.length > 0 },
  );
  const described = (data?.items ?? [])
    .flatMap(({ object }) => (object ? [object as unknown as Thing] : []))
    .filter((object) => ladderOf(object, [policy]).length > 0);
  const templates = described.map((object) => ({
    value: `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`,
    label: `${object.kind} ${object.metadata.name}`,
    object,
  }));
  const one = templates.find(({ value }) => value === chosen) ?? templates[0];
  const kind = one && kindNamed(one.object.apiVersion, one.object.kind);
  if (!one || !kind)
    return (
      <Text size="sm" c="dimmed">
        {t('ladder.describesNothing')}
      </Text>
    );
  return (
    <Stack gap={10}>
      <Select
        label={t('ladder.of')}
        data={templates.map(({ value, label }) => ({ value, label }))}
        value={one.value}
        allowDeselect={false}
        searchable
        w={320}
        onChange={(next) => void navigate({ search: (now) => ({ ...now, of: next ?? '' }), replace: true })}
      />
      <PrecedenceLadder
        of={{
          instance,
          kind,
          namespace: one.object.metadata.namespace ?? '',
          name: one.object.metadata.name,
        }}
        highlight={name}
      />
    </Stack>
  );
}

function kindsOf({ spec }: Thing): readonly Kind[] {
  const selectors = (spec?.['resourceSelectors'] ?? []) as readonly Selector[];
  return [...new Set(selectors.flatMap(({ apiVersion = '', kind = '' }) => kindNamed(apiVersion, kind) ?? []))];
}
