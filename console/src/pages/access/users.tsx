/** People: made here or at an identity provider, let in by password or by a link that works once. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { type User, UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { ago } from '../../i18n/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner, Status } from '../../parts/status.tsx';

const users = createClient(UsersService, transport);
const login = createClient(LoginService, transport);

export function Users() {
  const { t } = useTranslation();
  const asked = useQuery(UsersService.method.listUsers, { pageSize: 200 });
  const [creating, setCreating] = useState(false);
  const may = useMay('ghippo/user/create');
  return (
    <Panel
      title={t('access.tab.users')}
      flush
      aside={
        <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
          {t('access.createUser')}
        </GuardedButton>
      }
    >
      <Answer of={asked}>
        {({ items }) => (
          <table className="grid">
            <thead>
              <tr>
                <th scope="col">{t('field.name')}</th>
                <th scope="col">{t('field.status')}</th>
                <th scope="col">{t('access.email')}</th>
                <th scope="col">{t('access.source')}</th>
                <th scope="col">{t('field.created')}</th>
                <th scope="col">{t('access.actions')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((user) => (
                <UserRow key={user.id} user={user} />
              ))}
            </tbody>
          </table>
        )}
      </Answer>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </Panel>
  );
}

function UserRow({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const may = useMay('ghippo/user/update');
  const toggle = useMutation({
    mutationFn: () => users.updateUser({ id: user.id, enabled: !user.enabled }),
    onSuccess: () => cache.invalidateQueries(),
  });
  const link = useMutation({ mutationFn: () => login.createLoginLink({ user: user.id }) });
  return (
    <tr data-user={user.name}>
      <td>
        <b>{user.name}</b> <span className="soft">{user.displayName}</span>
        {link.data && <CommandLine line={`${location.origin}/signin?code=${link.data.code}`} />}
        {(toggle.error ?? link.error) && (
          <Banner state="blocked">{problemOf(toggle.error ?? link.error).message}</Banner>
        )}
      </td>
      <td>
        <Status
          state={user.enabled ? 'healthy' : 'unknown'}
          word={t(user.enabled ? 'access.enabled' : 'access.disabled')}
        />
      </td>
      <td>{user.email || '–'}</td>
      <td>{user.source || '–'}</td>
      <td className="soft">{ago(Number(user.createdAt))}</td>
      <td>
        <Group gap={6}>
          <GuardedButton may={may} variant="default" onClick={() => toggle.mutate()}>
            {t(user.enabled ? 'access.disable' : 'access.enable')}
          </GuardedButton>
          <GuardedButton may={may} variant="default" onClick={() => link.mutate()}>
            {t('access.link')}
          </GuardedButton>
        </Group>
      </td>
    </tr>
  );
}

function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const create = useMutation({
    mutationFn: () => users.createUser({ name, email, password }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('access.createUser')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('field.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <TextInput
            label={t('access.email')}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('settings.password')}
            description={t('access.passwordHint')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
          />
          {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
          <Group justify="flex-end">
            <Button type="submit" disabled={name === ''} loading={create.isPending}>
              {t('access.createUser')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
