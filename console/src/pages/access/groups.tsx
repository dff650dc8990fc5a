/** Groups, and who is in them. What a group is given, its members have. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Anchor, Drawer, Group as Row, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { GroupService } from '#gen/proto/ghippo/api/group/v1alpha1/group_service_pb.ts';
import { Subject_Kind as Kind } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Prechecks } from '../../parts/prechecks.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { useScopeText } from './scope-fields.tsx';
import { groups, useOpened } from './shared.ts';

const API = '/apis/ghippo.io/v1alpha1/groups';

function useUserNames(): string[] {
  const { data } = useQuery(UsersService.method.listUsers, { pageSize: 500 });
  return data?.items.map(({ name }) => name) ?? [];
}

export function Groups() {
  const { t } = useTranslation();
  const [opened, open] = useOpened();
  const [creating, setCreating] = useState(false);
  const may = useMay('ghippo/group/create');
  const asked = useQuery(GroupService.method.listGroups, { pageSize: 200 });
  return (
    <Panel
      title={t('access.tab.groups')}
      flush
      aside={
        <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
          {t('access.createGroup')}
        </GuardedButton>
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.noGroups')}>{t('access.noGroupsHint')}</Empty>
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('access.about')}</th>
                  <th scope="col" className="num">
                    {t('access.members')}
                  </th>
                  <th scope="col">{t('field.created')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((group) => (
                  <tr key={group.id}>
                    <td>
                      <Anchor component="button" type="button" size="sm" fw={550} onClick={() => open(group.id)}>
                        {group.name}
                      </Anchor>
                    </td>
                    <td className="soft">{group.description || '–'}</td>
                    <td className="num">{group.memberCount}</td>
                    <td className="soft">
                      <When at={Number(group.createdAt)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      {creating && <CreateGroup onClose={() => setCreating(false)} />}
      {opened !== '' && <GroupDrawer id={opened} onClose={() => open('')} />}
    </Panel>
  );
}

function CreateGroup({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const names = useUserNames();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [members, setMembers] = useState<string[]>([]);
  return (
    <FormDialog
      title={t('access.createGroup')}
      onClose={onClose}
      submit={t('access.createGroup')}
      disabled={name === ''}
      command={curl('POST', API, { name, description, members })}
      act={() => groups.createGroup({ name, description, members })}
    >
      <TextInput
        label={t('field.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={t('access.about')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MultiSelect label={t('access.members')} searchable data={names} value={members} onChange={setMembers} />
    </FormDialog>
  );
}

function GroupDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const mayDelete = useMay('ghippo/group/delete');
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={id}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap={14}>
        <Members id={id} />
        <Given group={id} />
        <GuardedButton
          may={mayDelete}
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setDeleting(true)}
        >
          {t('access.deleteGroup')}
        </GuardedButton>
      </Stack>
      {deleting && <DeleteGroup id={id} onClose={() => setDeleting(false)} onGone={onClose} />}
    </Drawer>
  );
}

function Members({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const names = useUserNames();
  const may = useMay('ghippo/group/update');
  const asked = useQuery(GroupService.method.groupMembers, { id, pageSize: 500 });
  const [who, setWho] = useState<string | null>(null);
  const done = { onSuccess: () => cache.invalidateQueries() };
  const add = useMutation({
    mutationFn: (user: string) => groups.addUserToGroup({ id, userId: user }),
    onSuccess: () => {
      setWho(null);
      return cache.invalidateQueries();
    },
  });
  const remove = useMutation({
    mutationFn: (user: string) => groups.deleteUserFromGroup({ id, userId: user }),
    ...done,
  });
  const failed = add.error ?? remove.error;
  return (
    <Panel title={t('access.members')} flush>
      <Answer of={asked}>
        {({ items }) => (
          <>
            <Row gap={8} p="sm" align="flex-end">
              <Select
                label={t('access.who')}
                searchable
                data={names.filter((name) => !items.includes(name))}
                value={who}
                onChange={setWho}
              />
              <GuardedButton
                may={may}
                disabled={who === null}
                loading={add.isPending}
                onClick={() => who !== null && add.mutate(who)}
              >
                {t('access.addMember')}
              </GuardedButton>
            </Row>
            {failed && <Banner state="blocked">{problemOf(failed).message}</Banner>}
            {items.length === 0 ? (
              <Empty title={t('access.noMembers')} />
            ) : (
              <table className="grid">
                <tbody>
                  {items.map((user) => (
                    <tr key={user}>
                      <td>{user}</td>
                      <td style={{ textAlign: 'right' }}>
                        <ActionIcon
                          aria-label={t('access.removeMember', { user })}
                          disabled={!may.allowed}
                          onClick={() => remove.mutate(user)}
                        >
                          <Trash2 size={14} />
                        </ActionIcon>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
      </Answer>
    </Panel>
  );
}

function Given({ group }: { readonly group: string }) {
  const { t } = useTranslation();
  const scopeText = useScopeText();
  const asked = useQuery(AccessService.method.listBindings, {
    subject: { kind: Kind.Group, name: group },
    pageSize: 200,
  });
  return (
    <Panel title={t('access.given')}>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('access.givenNothing')}
            </Text>
          ) : (
            <ul style={{ margin: 0, paddingLeft: 18 }}>
              {items.map(({ name, role, scope }) => (
                <li key={name}>
                  <span className="mono">{role}</span> – {scopeText(scope)}
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  );
}

interface DeleteProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onGone: () => void;
}

function DeleteGroup({ id, onClose, onGone }: DeleteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={t('access.deleteGroup')}
      onClose={onClose}
      danger
      submit={t('action.delete')}
      disabled={typed !== id}
      command={curl('DELETE', `${API}/${id}`)}
      act={() => groups.deleteGroup({ id })}
      then={async () => onGone()}
    >
      <Text size="sm">{t('access.deleteGroupText')}</Text>
      <Prechecks of={[[typed === id, t('instance.checkName')]]} />
      <TextInput
        label={t('action.typeName', { name: id })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
