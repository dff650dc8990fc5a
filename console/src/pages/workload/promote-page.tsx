/**
 * Something that one cluster has of its own, taken into the instance with what it needs.
 *
 * Its pods go on running. What would be taken over is listed before anything is.
 */
import { useQuery } from '@connectrpc/connect-query';
import { Checkbox, Group, List, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CoreService,
  ListServicesForMemberClusterRequest_Kind as OfKind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { useLost } from '../../api/clusters.ts';
import { wordsIn } from '../../api/found.ts';
import type { Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { useClusterNames } from '../policy/target-fields.tsx';
import { containersOf } from './summary-tab.tsx';
import { isFree, PROMOTABLE, type Promotable, promotable } from './promotable.ts';
import { neededBy } from './taken-over.ts';

const ROUTE = '/i/$instance/workloads/promote';
const MOST = 200;
const AGAIN_MS = 4_000;

export function PromotePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const clusters = useClusterNames(instance);
  const lost = useLost(instance);
  const cluster = search.cluster || (clusters.find((name) => !lost.has(name)) ?? clusters[0] ?? '');
  const [text, setText] = useState('');
  const way = promotable(search.kind);
  const found = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [`kind:${way.kind.kind.toLowerCase()}`, `cluster:${cluster}`, ...wordsIn(text)].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    {
      enabled: cluster !== '',
      // What appears in a cluster by itself is told by no stream of the instance.
      refetchInterval: AGAIN_MS,
      select: ({ items }) => items.flatMap(({ object }) => (object ? [object as unknown as Thing] : [])).filter(isFree),
    },
  );
  const chosen = found.data?.find(({ metadata }) => idOf(metadata) === search.app);
  return (
    <Page title={t('promote.title')} sub={t('promote.sub')}>
      <div className="two">
        <Panel title={t('promote.which')}>
          <Stack gap="sm">
            <Group grow>
              <Select
                label={t('field.cluster')}
                data={[...clusters]}
                value={cluster || null}
                allowDeselect={false}
                onChange={(next) => void navigate({ search: (now) => ({ ...now, cluster: next ?? '', app: '' }) })}
              />
              <Select
                label={t('field.kind')}
                data={PROMOTABLE.map(({ kind }) => kind.kind)}
                value={way.kind.kind}
                allowDeselect={false}
                onChange={(next) => void navigate({ search: (now) => ({ ...now, kind: next ?? '', app: '' }) })}
              />
            </Group>
            <TextInput
              aria-label={t('field.name')}
              placeholder={t('field.filterByName')}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {cluster === '' ? (
              <Empty title={t('cluster.none')}>{t('cluster.noneHint')}</Empty>
            ) : (
              <Answer of={found}>
                {(list) =>
                  list.length === 0 ? (
                    <Empty title={t('promote.none', { kind: way.kind.kind })}>
                      {lost.has(cluster) ? t('cluster.silent') : t('promote.noneHint', { cluster })}
                    </Empty>
                  ) : (
                    <Radio.Group
                      value={search.app}
                      aria-label={t('promote.which')}
                      onChange={(app) =>
                        void navigate({ search: { cluster, kind: way.kind.kind, app }, replace: true })
                      }
                    >
                      <Stack gap={6}>
                        {list.map(({ metadata, spec }) => (
                          <Radio
                            key={idOf(metadata)}
                            value={idOf(metadata)}
                            label={`${metadata.name} · ${metadata.namespace ?? ''}`}
                            description={containersOf(spec)
                              .map(({ image }) => image)
                              .join(', ')}
                          />
                        ))}
                      </Stack>
                    </Radio.Group>
                  )
                }
              </Answer>
            )}
          </Stack>
        </Panel>
        <Panel title={t('promote.takes')}>
          {chosen ? (
            <Preview
              key={`${way.kind.kind}${search.app}`}
              instance={instance}
              cluster={cluster}
              app={chosen}
              way={way}
              silent={lost.has(cluster)}
            />
          ) : (
            <Empty title={t('promote.choose')} />
          )}
        </Panel>
      </div>
    </Page>
  );
}

const idOf = ({ namespace = '', name }: Thing['metadata']) => `${namespace}/${name}`;

interface PreviewProps {
  readonly instance: string;
  readonly cluster: string;
  readonly app: Thing;
  readonly way: Promotable;
  /** The cluster does not answer: what is shown is what it last said, and nothing can begin there. */
  readonly silent: boolean;
}

function Preview({ instance, cluster, app, way, silent }: PreviewProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { name, namespace = '' } = app.metadata;
  const { kind, right, withServices } = way;
  const { data } = useQuery(
    CoreService.method.listServicesForMemberCluster,
    {
      instance,
      cluster,
      namespace,
      kind: OfKind[kind.kind as keyof typeof OfKind] ?? OfKind.KIND_UNSPECIFIED,
      kindName: name,
      pageSize: MOST,
    },
    { enabled: withServices },
  );
  const services = data?.items.map(({ metadata }) => metadata?.name ?? '') ?? [];
  const [left, setLeft] = useState<readonly string[]>([]);
  const taken = services.filter((one) => !left.includes(one));
  const may = useMay(right, { instance, namespace });
  const promote = useMutation({
    mutationFn: () => way.promote({ instance, cluster, namespace, name }, taken),
    onSuccess: async () => {
      void cache.invalidateQueries();
      await navigate({
        to: withServices
          ? '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}'
          : '/i/$instance/resources/$kind/$namespace/$name/{-$tab}',
        params: { instance, kind: kind.kind, namespace, name, tab: 'trace' },
      });
    },
  });
  return (
    <Stack gap="sm">
      <List size="sm">
        <List.Item>
          {kind.kind} <b>{name}</b>
        </List.Item>
        {neededBy(app).map(({ kind: of, name: one }) => (
          <List.Item key={`${of}/${one}`}>
            {of} <b>{one}</b>
          </List.Item>
        ))}
        <List.Item>{t('promote.policy', { cluster })}</List.Item>
      </List>
      {services.map((one) => (
        <Checkbox
          key={one}
          label={`Service ${one}`}
          checked={!left.includes(one)}
          onChange={(event) => {
            const along = event.currentTarget.checked;
            setLeft((now) => (along ? now.filter((other) => other !== one) : [...now, one]));
          }}
        />
      ))}
      <Text size="sm" c="dimmed">
        {t(withServices ? 'promote.text' : 'promote.textOther')}
      </Text>
      <CommandLine
        line={`kairship promote ${cluster} ${kind.kind.toLowerCase()}/${name} -n ${namespace}${taken.map((one) => ` --service ${one}`).join('')}`}
      />
      {silent && <Banner state="blocked">{t('promote.silent', { cluster })}</Banner>}
      {promote.error && <Banner state="blocked">{problemOf(promote.error).message}</Banner>}
      <GuardedButton
        may={may}
        disabled={silent}
        loading={promote.isPending}
        onClick={() => promote.mutate()}
        style={{ alignSelf: 'flex-end' }}
      >
        {t('promote.action')}
      </GuardedButton>
    </Stack>
  );
}
