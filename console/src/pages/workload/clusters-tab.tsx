/** Per cluster: what was rendered for it, what lives there, and where the two differ. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { differences } from '../../api/differences.ts';
import { clustersOf, type ObjectRef, type Thing, useBinding, useObject } from '../../api/objects.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty, Waiting } from '../../parts/problems.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { DriftCourt } from './drift-court.tsx';

const WORK = {
  kind: 'Work',
  apiVersion: 'work.karmada.io/v1alpha1',
  group: 'work.karmada.io',
  version: 'v1alpha1',
  resource: 'works',
  namespaced: true,
};

export function ClustersTab({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const binding = useBinding(of);
  const [chosen, setChosen] = useState('');
  return (
    <Answer of={binding}>
      {(data) => {
        const clusters = clustersOf(data);
        const cluster = clusters.includes(chosen) ? chosen : clusters[0];
        if (cluster === undefined) return <Empty title={t('workload.nowhere')} />;
        const id = data.metadata.labels?.['resourcebinding.karmada.io/permanent-id'] ?? '';
        return (
          <Stack gap={14}>
            <SegmentedControl
              aria-label={t('field.cluster')}
              data={[...clusters]}
              value={cluster}
              onChange={setChosen}
              style={{ alignSelf: 'flex-start' }}
            />
            <OneCluster key={cluster} of={of} cluster={cluster} bindingId={id} />
          </Stack>
        );
      }}
    </Answer>
  );
}

interface OneProps {
  readonly of: ObjectRef;
  readonly cluster: string;
  readonly bindingId: string;
}

function OneCluster({ of, cluster, bindingId }: OneProps) {
  const rendered = useRendered(of, cluster, bindingId);
  const live = useLiveCopy(of, cluster);
  if (rendered.waiting || live.waiting) return <Waiting rows={8} />;
  return <Compared of={of} cluster={cluster} rendered={rendered.object} live={live.object} />;
}

type View = 'difference' | 'rendered' | 'live';

function Compared({
  of,
  cluster,
  rendered,
  live,
}: {
  readonly of: ObjectRef;
  readonly cluster: string;
  readonly rendered: Thing | undefined;
  readonly live: Thing | undefined;
}) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('difference');
  const [engine, setEngine] = useState(false);
  const shown = (object: Thing | undefined) => (object ? yamlOf(object, { sorted: true, plain: !engine }) : '');
  const found = rendered && live ? differences(rendered, live) : [];
  const { kind, namespace, name } = of;
  return (
    <>
      <DriftCourt of={of} cluster={cluster} missing={!live} seen={found} />
      <Panel
        title={t('drift.versions')}
        aside={
          <Group gap={14}>
            <Switch
              size="xs"
              label={t('drift.engine')}
              checked={engine}
              onChange={(event) => setEngine(event.currentTarget.checked)}
            />
            <SegmentedControl
              aria-label={t('drift.versions')}
              value={view}
              onChange={(next) => setView(next)}
              data={(['difference', 'rendered', 'live'] as const).map((one) => ({
                value: one,
                label: t(`drift.${one}`),
              }))}
            />
          </Group>
        }
      >
        <Yaml
          key={`${view}${engine}`}
          label={t(`drift.${view}`)}
          value={shown(view === 'rendered' ? rendered : live)}
          {...(view === 'difference' ? { original: shown(rendered) } : {})}
        />
        {view === 'difference' && (
          <Text size="xs" c="dimmed" mt={6}>
            {t('drift.differenceHint')}
          </Text>
        )}
      </Panel>
      <Group>
        <CommandLine
          line={`kubectl --context ${of.instance}/${cluster} get ${kind.resource} ${name} -n ${namespace} -o yaml`}
        />
      </Group>
    </>
  );
}

/** What was sent: the manifest inside the cluster's Work. */
function useRendered(of: ObjectRef, cluster: string, bindingId: string) {
  const namespace = `karmada-es-${cluster}`;
  const { instance } = of;
  const found = useQuery(ApiextensionsService.method.listCustomResources, {
    instance,
    group: WORK.group,
    version: WORK.version,
    resource: WORK.resource,
    namespace,
    labelSelector: `resourcebinding.karmada.io/permanent-id=${bindingId}`,
    pageSize: 5,
  });
  const name = found.data?.items[0]?.name ?? '';
  const work = useObject({ instance, kind: WORK, namespace, name }, name !== '');
  const workload = work.data?.spec?.['workload'] as { readonly manifests?: readonly Thing[] } | undefined;
  const waiting = found.isPending || (name !== '' && work.isPending);
  return { object: workload?.manifests?.[0], waiting };
}

/** What is there, as the index last heard of it. */
function useLiveCopy({ instance, kind, namespace, name }: ObjectRef, cluster: string) {
  const query = `kind:${kind.kind.toLowerCase()} name:${name} namespace:${namespace} cluster:${cluster}`;
  const { data, isPending } = useQuery(SearchService.method.search, {
    instance,
    query,
    includeObjects: true,
    pageSize: 5,
  });
  const found = data?.items.find((item) => item.cluster === cluster && item.resource?.name === name);
  return { object: found?.object as unknown as Thing | undefined, waiting: isPending };
}
