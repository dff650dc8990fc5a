/** Groups, workspaces and roles, as they are. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group as Row, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GroupService } from '#gen/proto/ghippo/api/group/v1alpha1/group_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Scope_TypeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { WorkspaceService } from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { wordOf } from '../../api/words.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';

const groups = createClient(GroupService, transport);
const workspaces = createClient(WorkspaceService, transport);

/** A name, and a button that makes something of it. */
function MakeOne({
  right,
  label,
  make,
}: {
  readonly right: string;
  readonly label: string;
  readonly make: (name: string) => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const may = useMay(right);
  const create = useMutation({
    mutationFn: () => make(name),
    onSuccess: async () => {
      setName('');
      await cache.invalidateQueries();
    },
  });
  return (
    <Row gap={8}>
      {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
      <TextInput
        aria-label={t('field.name')}
        placeholder={t('field.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <GuardedButton may={may} disabled={name === ''} loading={create.isPending} onClick={() => create.mutate()}>
        {label}
      </GuardedButton>
    </Row>
  );
}

export function Groups() {
  const { t } = useTranslation();
  const asked = useQuery(GroupService.method.listGroups, { pageSize: 200 });
  return (
    <Panel
      title={t('access.tab.groups')}
      flush
      aside={
        <MakeOne
          right="ghippo/group/create"
          label={t('access.createGroup')}
          make={(name) => groups.createGroup({ name })}
        />
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.noGroups')} />
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('access.about')}</th>
                  <th scope="col" className="num">
                    {t('access.members')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((group) => (
                  <tr key={group.id}>
                    <td>{group.name}</td>
                    <td className="soft">{group.description || '–'}</td>
                    <td className="num">{group.memberCount}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}

export function Workspaces() {
  const { t } = useTranslation();
  const asked = useQuery(WorkspaceService.method.listWorkspaces, { pageSize: 200 });
  return (
    <Panel
      title={t('access.tab.workspaces')}
      flush
      aside={
        <MakeOne
          right="ghippo/workspace/create"
          label={t('access.createWorkspace')}
          make={(name) => workspaces.createWorkspace({ name })}
        />
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.noWorkspaces')}>{t('access.noWorkspacesHint')}</Empty>
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('access.about')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((workspace) => (
                  <tr key={workspace.workspaceId}>
                    <td>
                      {workspace.name} <span className="soft">{workspace.displayName}</span>
                    </td>
                    <td className="soft">{workspace.description || '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}

export function Roles() {
  const { t } = useTranslation();
  const asked = useQuery(RoleService.method.listRoles, { pageSize: 200 });
  return (
    <Panel title={t('access.tab.roles')} flush>
      <Answer of={asked}>
        {({ items }) => (
          <table className="grid">
            <thead>
              <tr>
                <th scope="col">{t('field.name')}</th>
                <th scope="col">{t('access.givenIn')}</th>
                <th scope="col">{t('access.about')}</th>
                <th scope="col">{t('access.points')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((role) => (
                <tr key={role.name}>
                  <td>
                    <b>{role.displayName || role.name}</b> <span className="soft mono">{role.name}</span>
                  </td>
                  <td>{wordOf(Scope_TypeSchema, role.scope)}</td>
                  <td>{role.description}</td>
                  <td className="mono soft">{role.permissions.join(', ') || '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </Panel>
  );
}
