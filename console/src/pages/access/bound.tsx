/** Every instance and every namespace of one, each with the workspace it belongs to: bound and taken out here. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Action, type WorkspaceInfo } from '#gen/proto/kairship/api/workspace/v1alpha1/workspace_pb.ts';
import { WorkspaceService } from '#gen/proto/kairship/api/workspace/v1alpha1/workspace_service_pb.ts';
import { transport } from '../../api/transport.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { refOf } from './place.ts';
import { useOpened } from './shared.ts';

const bindings = createClient(WorkspaceService, transport);

const VIEWS = ['instances', 'namespaces'] as const;

/** An instance, or a namespace of one; as what it is bound. */
interface Bindable {
  readonly instance: string;
  readonly namespace: string;
  readonly workspace?: WorkspaceInfo | undefined;
}

export function Bound() {
  const { t } = useTranslation();
  const [opened, open] = useOpened();
  const view = VIEWS.find((one) => one === opened) ?? 'instances';
  return (
    <Panel
      title={t('access.tab.bound')}
      aside={
        <SegmentedControl
          aria-label={t('access.tab.bound')}
          value={view}
          onChange={open}
          data={VIEWS.map((value) => ({ value, label: t(`access.bound.${value}`) }))}
        />
      }
      flush
    >
      <Text size="sm" c="dimmed" px="md" py="sm">
        {t('access.bound.text')}
      </Text>
      {view === 'instances' ? <Instances /> : <Namespaces />}
    </Panel>
  );
}

function Instances() {
  const asked = useQuery(WorkspaceService.method.listInstances, { pageSize: 500 });
  return <Answer of={asked}>{({ items }) => <Table of={items.map((one) => ({ ...one, namespace: '' }))} />}</Answer>;
}

function Namespaces() {
  const asked = useQuery(WorkspaceService.method.listNamespaceInstances, { pageSize: 500 });
  return <Answer of={asked}>{({ items }) => <Table of={items} />}</Answer>;
}

function Table({ of }: { readonly of: readonly Bindable[] }) {
  const { t } = useTranslation();
  const [binding, setBinding] = useState<Bindable>();
  if (of.length === 0) return <Empty title={t('access.bound.none')} />;
  return (
    <>
      <table className="grid" aria-label={t('access.tab.bound')}>
        <thead>
          <tr>
            {of[0]?.namespace && <th scope="col">{t('field.namespace')}</th>}
            <th scope="col">{t('access.scope.Instance')}</th>
            <th scope="col">{t('access.scope.Workspace')}</th>
            <th scope="col" aria-label={t('action.more')} />
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={refOf(one.instance, one.namespace)} data-bindable={refOf(one.instance, one.namespace)}>
              {one.namespace && <td>{one.namespace}</td>}
              <td>
                <Link to="/i/$instance" params={{ instance: one.instance }}>
                  {one.instance}
                </Link>
              </td>
              <td>
                {one.workspace?.workspaceId ? (
                  <Link to="/access" search={{ tab: 'workspaces', open: `w${one.workspace.workspaceId}` }}>
                    {one.workspace.workspace}
                  </Link>
                ) : (
                  <span className="soft">{t('access.bound.nowhere')}</span>
                )}
              </td>
              <td style={{ textAlign: 'right' }}>
                <Button size="compact-sm" variant="default" onClick={() => setBinding(one)}>
                  {t(one.workspace?.workspaceId ? 'access.unbind' : 'access.bind')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {binding && <Bind of={binding} onClose={() => setBinding(undefined)} />}
    </>
  );
}

function Bind({ of, onClose }: { readonly of: Bindable; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const asked = useQuery(WorkspaceService.method.listWorkspaces, { pageSize: 500 });
  const unbinds = Boolean(of.workspace?.workspaceId);
  const [id, setId] = useState<string | null>(unbinds ? String(of.workspace?.workspaceId) : null);
  const workspace = unbinds ? of.workspace : asked.data?.items.find(({ workspaceId }) => String(workspaceId) === id);
  const name = of.namespace ? `${of.instance}/${of.namespace}` : of.instance;
  return (
    <FormDialog
      title={t(unbinds ? 'access.unbindOf' : 'access.bindOf', { name })}
      onClose={onClose}
      danger={unbinds}
      submit={t(unbinds ? 'access.unbind' : 'access.bind')}
      disabled={!workspace}
      command={
        id === null
          ? undefined
          : `kairship workspace ${unbinds ? 'unbind' : 'bind'} ${id} ${refOf(of.instance, of.namespace)}`
      }
      act={() => change(of, workspace, unbinds ? Action.UNBIND : Action.BIND)}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t(unbinds ? 'access.unbindText' : 'access.bindText', { workspace: workspace?.workspace ?? '' })}
        </Text>
        {!unbinds && (
          <Group grow>
            <Select
              label={t('access.scope.Workspace')}
              data={(asked.data?.items ?? []).map((one) => ({ value: String(one.workspaceId), label: one.workspace }))}
              value={id}
              onChange={setId}
              data-autofocus
            />
          </Group>
        )}
      </Stack>
    </FormDialog>
  );
}

function change({ instance, namespace }: Bindable, workspace: WorkspaceInfo | undefined, action: Action) {
  const to = { workspace: workspace?.workspace ?? '', workspaceId: workspace?.workspaceId ?? 0 };
  return namespace
    ? bindings.bindNamespaceInstances({ instance, namespace, workspace: to, action })
    : bindings.bindInstances({ instance, workspace: to, action });
}
