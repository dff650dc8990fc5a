/** One resource of any kind: what it is, where its copies are, and what can be done with it. */
import { Button, Group, Stack, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Download, FileCode, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKind } from '../../api/kind.ts';
import {
  BINDING,
  CLUSTER_BINDING,
  CONFIG_MAP,
  DEFINITION,
  type Kind,
  NAMESPACE,
  SECRET,
  SERVICE,
  wordFor,
} from '../../api/kinds.ts';
import { useLive } from '../../api/live.ts';
import { type ObjectRef, type Thing, useBinding } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { Command } from '../../parts/command.tsx';
import { download } from '../../parts/download.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { LiveChip } from '../../parts/live-chip.tsx';
import { EditYaml, inNamespace } from '../../parts/object-dialogs.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Waiting } from '../../parts/problems.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { PlacedTable } from '../workload/placed-table.tsx';
import { changesOf, rightTo } from './changes.ts';
import { DeleteResource } from './delete-resource.tsx';
import { NamespaceInside } from './namespace-inside.tsx';
import { ResourceData, ResourceFacts } from './resource-facts.tsx';
import { hasForm, ResourceForm } from './resource-form.tsx';
import { useResource } from './resource-object.ts';
import { ServicePods } from './service-pods.tsx';

const TopologyTab = lazy(async () => ({ default: (await import('../topology/topology-tab.tsx')).TopologyTab }));
const ClustersTab = lazy(async () => ({ default: (await import('../workload/clusters-tab.tsx')).ClustersTab }));
const PlacementTab = lazy(async () => ({ default: (await import('../workload/placement-tab.tsx')).PlacementTab }));
const TraceTab = lazy(async () => ({ default: (await import('../workload/trace-tab.tsx')).TraceTab }));
const EventsTab = lazy(async () => ({ default: (await import('../workload/events-tab.tsx')).EventsTab }));

const ROUTE = '/i/$instance/resources/$kind/$namespace/$name/{-$tab}';
const TABS = ['summary', 'yaml', 'placement', 'trace', 'topology', 'clusters', 'events'] as const;
type Tab = (typeof TABS)[number];

export function ResourcePage() {
  const { instance, kind: word, namespace, name } = useParams({ from: ROUTE });
  const kind = useKind(instance, word);
  if (!kind) return <Waiting />;
  return <Resource of={{ instance, kind, namespace: namespace === '-' ? '' : namespace, name }} />;
}

/** A secret and a definition have no copies to compare: one is not shown, the other is not placed. */
function tabsOf({ kind }: Kind): readonly Tab[] {
  if (kind === SECRET.kind) return TABS.filter((tab) => tab !== 'clusters');
  return TABS;
}

function Resource({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const params = useParams({ from: ROUTE });
  const navigate = useNavigate();
  const { instance, kind, namespace, name } = of;
  const [shown, setShown] = useState(false);
  const tabs = tabsOf(kind);
  const tab = tabs.find((one) => one === params.tab) ?? 'summary';
  const live = useLive(instance, [
    { apiVersion: kind.apiVersion, kind: kind.kind, ...(namespace ? { namespace } : {}) },
    { ...(namespace ? BINDING : CLUSTER_BINDING), ...(namespace ? { namespace } : {}) },
  ]);
  const object = useResource(of, shown);
  return (
    <Page
      title={name}
      sub={[kind.kind, namespace].filter(Boolean).join(' · ')}
      actions={
        <>
          <LiveChip state={live} />
          <Command lines={[`kubectl ${inNamespace(of)}get ${kind.resource} ${name} -o yaml`]} />
          {object.data && <Actions of={of} object={object.data} needsValues={kind.kind === SECRET.kind && !shown} />}
        </>
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({
            to: ROUTE,
            params: { ...params, tab: next === 'summary' ? undefined : (next ?? undefined) },
          })
        }
      >
        <Tabs.List mb={14}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {one === 'yaml' ? 'YAML' : t(`workload.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<Waiting />}>
            {tab === 'summary' && (
              <Answer of={object}>{(data) => <Summary of={of} object={data} shown={shown} onShow={setShown} />}</Answer>
            )}
            {tab === 'yaml' && (
              <Answer of={object}>
                {(data) => <Yaml label={t('resource.yamlOf', { name })} value={yamlOf(data)} height="70vh" />}
              </Answer>
            )}
            {tab === 'placement' && <PlacementTab of={of} />}
            {tab === 'topology' && <TopologyTab of={of} />}
            {tab === 'clusters' && <ClustersTab of={of} />}
            {tab === 'trace' && <TraceTab of={of} />}
            {tab === 'events' && <EventsTab of={of} />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** What no policy places. */
const UNPLACED: readonly string[] = [DEFINITION.kind, NAMESPACE.kind];

function hasData({ kind }: Kind): boolean {
  return kind === CONFIG_MAP.kind || kind === SECRET.kind;
}

interface SummaryProps {
  readonly of: ObjectRef;
  readonly object: Thing;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
}

function Summary({ of, object, shown, onShow }: SummaryProps) {
  const withData = hasData(of.kind);
  const binding = useBinding(of);
  const isPlaced = binding.data !== undefined;
  return (
    <div className="two">
      <Stack gap={14}>
        {of.kind.kind === NAMESPACE.kind && <NamespaceInside of={of} />}
        {of.kind.kind === SERVICE.kind && <ServicePods of={of} object={object} />}
        {withData && <ResourceData of={of} object={object} shown={shown} onShow={onShow} />}
        {(isPlaced || (!withData && !UNPLACED.includes(of.kind.kind))) && <PlacedTable of={of} />}
        {!withData && of.kind.kind === DEFINITION.kind && <ResourceFacts of={of} object={object} />}
      </Stack>
      {of.kind.kind !== DEFINITION.kind && <ResourceFacts of={of} object={object} />}
    </div>
  );
}

function Actions({
  of,
  object,
  needsValues,
}: {
  readonly of: ObjectRef;
  readonly object: Thing;
  readonly needsValues: boolean;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { instance, kind, namespace, name } = of;
  const where = { instance, ...(namespace ? { namespace } : {}) };
  const mayEdit = useMay(rightTo('update', kind), where);
  const mayDelete = useMay(rightTo('delete', kind), where);
  const changes = changesOf(kind);
  // What is edited without its values would lose them.
  const whole = useResource(of, open === 'edit' && needsValues);
  const edited = needsValues ? (open === 'edit' ? whole.data : undefined) : object;
  return (
    <Group gap={8}>
      <GuardedButton
        may={mayEdit}
        variant="default"
        leftSection={<FileCode size={14} aria-hidden />}
        onClick={() => setOpen('edit')}
      >
        {t('action.editYaml')}
      </GuardedButton>
      <GuardedButton
        may={mayDelete}
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => setOpen('delete')}
      >
        {t('action.delete')}
      </GuardedButton>
      {hasData(kind) && (
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          // What is not shown does not leave either.
          disabled={needsValues}
          title={needsValues ? t('resourceUse.showFirst') : undefined}
          onClick={() => download(`${name}.yaml`, yamlOf(object, { plain: true }))}
        >
          {t('resourceUse.export')}
        </Button>
      )}
      {open === 'edit' && edited && (
        <EditYaml
          of={of}
          object={edited}
          save={(text) => changes.replace(of, text)}
          form={hasForm(kind.kind) ? (bound) => <ResourceForm of={bound} kind={kind.kind} isNew={false} /> : undefined}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            void cache.invalidateQueries();
            void navigate({
              to: ROUTE,
              params: { instance, kind: wordFor(kind), namespace: namespace || '-', name, tab: 'trace' },
            });
          }}
        />
      )}
      {open === 'delete' && (
        <DeleteResource
          of={of}
          object={object}
          onClose={() => setOpen(undefined)}
          onDone={() =>
            navigate({ to: '/i/$instance/resources', params: { instance }, search: { kind: wordFor(kind) } })
          }
        />
      )}
    </Group>
  );
}
