/** Roles: sets of permissions. Those of the platform are fixed; own ones are ticked together here. */
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Drawer, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Role, RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Scope_Type as Type, Scope_TypeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { wordOf } from '../../api/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { Matrix } from './permission-matrix.tsx';
import { holds } from './role-matrix.ts';
import { roles, useOpened } from './shared.ts';

const NEW = '+';
const API = '/apis/ghippo.io/v1alpha1/roles';

export function Roles() {
  const { t } = useTranslation();
  const [opened, open] = useOpened();
  const may = useMay('ghippo/role/create');
  const asked = useQuery(RoleService.method.listRoles, { pageSize: 200 });
  const role = asked.data?.items.find(({ name }) => name === opened);
  return (
    <Panel
      title={t('access.tab.roles')}
      flush
      aside={
        <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => open(NEW)}>
          {t('access.createRole')}
        </GuardedButton>
      }
    >
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
              {items.map((one) => (
                <tr key={one.name}>
                  <td className="tight">
                    <Anchor component="button" type="button" size="sm" fw={550} onClick={() => open(one.name)}>
                      {one.displayName || one.name}
                    </Anchor>
                    <div className="soft" style={{ fontSize: 12 }}>
                      <span className="mono">{one.name}</span>
                      {one.builtin && ` · ${t('access.builtin')}`}
                    </div>
                  </td>
                  <td className="tight">{t(`access.scope.${scopeOf(one)}`)}</td>
                  <td>
                    {t(`access.aboutRole.${one.builtin ? one.name : ''}` as 'access.aboutRole.admin', {
                      defaultValue: one.description,
                    })}
                  </td>
                  <td className="soft">{madeOf(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answer>
      {(opened === NEW || role) && <RoleDrawer key={opened} role={role} onClose={() => open('')} />}
    </Panel>
  );
}

/** `edit of kairship, ghippo/user/list` */
function madeOf({ includes, permissions }: Role): string {
  const tiers = includes.map(({ tier, product }) => [tier, product || '*'].join(' '));
  return [...tiers, ...permissions].join(', ') || '–';
}

const scopeOf = ({ scope }: Role) => SCOPES.find((word) => word === wordOf(Scope_TypeSchema, scope)) ?? 'Platform';

const SCOPES = ['Platform', 'Folder', 'Workspace', 'Instance', 'Namespace'] as const;

function RoleDrawer({ role, onClose }: { readonly role: Role | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const points = useQuery(RoleService.method.listAllPermissions, {});
  const [name, setName] = useState(role?.name ?? '');
  const [displayName, setDisplayName] = useState(role?.displayName ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('Workspace');
  const [chosen, setChosen] = useState<readonly string[]>(role?.permissions ?? []);
  const fixed = role?.builtin === true;
  const may = useMay(role ? 'ghippo/role/update' : 'ghippo/role/create');
  const mayDelete = useMay('ghippo/role/delete');
  const told = { name, displayName, description, permissions: [...chosen] };
  const done = {
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  };
  const save = useMutation({
    mutationFn: async () =>
      void (await (role ? roles.updateRole(told) : roles.createRole({ ...told, scope: Type[scope] }))),
    ...done,
  });
  const drop = useMutation({ mutationFn: () => roles.deleteRole({ name }), ...done });
  const failed = save.error ?? drop.error;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={role ? role.displayName || role.name : t('access.createRole')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        {fixed && <Banner state="unknown">{t('access.builtinText')}</Banner>}
        <Group grow align="flex-start">
          <TextInput
            label={t('field.name')}
            value={name}
            disabled={role !== undefined}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          <TextInput
            label={t('access.displayName')}
            value={displayName}
            disabled={fixed}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <Select
            label={t('access.givenIn')}
            allowDeselect={false}
            disabled={role !== undefined}
            data={SCOPES.map((value) => ({ value, label: t(`access.scope.${value}`) }))}
            value={role ? scopeOf(role) : scope}
            onChange={(next) => setScope(next ?? 'Workspace')}
          />
        </Group>
        <TextInput
          label={t('access.about')}
          value={description}
          disabled={fixed}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Answer of={points}>
          {({ items }) => (
            <Matrix
              points={items}
              chosen={
                role && fixed ? items.filter((point) => holds(role, point)).map(({ permission }) => permission) : chosen
              }
              onChange={fixed ? undefined : setChosen}
            />
          )}
        </Answer>
        {!fixed && (
          <>
            <Text size="xs" c="dimmed">
              {t('access.roleRule')}
            </Text>
            <CommandLine line={role ? curl('PUT', `${API}/${name}`, told) : curl('POST', API, told)} />
          </>
        )}
        {failed && <Banner state="blocked">{problemOf(failed).message}</Banner>}
        {!fixed && (
          <Group justify="flex-end">
            {role && (
              <GuardedButton may={mayDelete} variant="default" loading={drop.isPending} onClick={() => drop.mutate()}>
                {t('action.delete')}
              </GuardedButton>
            )}
            <GuardedButton
              may={may}
              disabled={name === '' || chosen.length === 0}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              {t(role ? 'action.save' : 'access.createRole')}
            </GuardedButton>
          </Group>
        )}
      </Stack>
    </Drawer>
  );
}
