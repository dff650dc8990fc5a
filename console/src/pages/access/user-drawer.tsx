/** One person: what they were given and through whom, their groups and tokens, and what can be done about them. */
import { useQuery } from '@connectrpc/connect-query';
import { Drawer, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Subject_Kind as Kind, Subject_KindSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { type User, UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { isLocal, wordOf } from '../../api/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Prechecks } from '../../parts/prechecks.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { TokenTable } from '../../parts/tokens.tsx';
import { When } from '../../parts/when.tsx';
import { useScopeText } from './scope-fields.tsx';
import { login, users } from './shared.ts';

export function UserDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const asked = useQuery(UsersService.method.getUser, { id });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={id}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Answer of={asked}>
        {(user) => (
          <Stack gap={14}>
            <Actions user={user} onGone={onClose} />
            <Panel title={t('workload.about')}>
              <Facts
                of={[
                  [t('access.displayName'), user.displayName || '–'],
                  [t('access.email'), user.email || '–'],
                  [t('access.about'), user.description || '–'],
                  [t('access.source'), isLocal(user.source) ? t('access.local') : user.source],
                  [t('field.status'), t(user.enabled ? 'access.enabled' : 'access.disabled')],
                  [t('field.created'), <When key="created" full at={Number(user.createdAt)} />],
                ]}
              />
            </Panel>
            <Roles id={id} />
            <Tokens id={id} />
          </Stack>
        )}
      </Answer>
    </Drawer>
  );
}

type Open = 'edit' | 'password' | 'toggle' | 'delete' | undefined;

function Actions({ user, onGone }: { readonly user: User; readonly onGone: () => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [said, setSaid] = useState('');
  const may = useMay('ghippo/user/update');
  const mayPassword = useMay('ghippo/user/set-password');
  const mayDelete = useMay('ghippo/user/delete');
  const link = useMutation({ mutationFn: () => login.createLoginLink({ user: user.id }) });
  const close = () => setOpen(undefined);
  const show = (next: Open) => {
    setSaid('');
    setOpen(next);
  };
  return (
    <Stack gap={8}>
      <Group gap={6}>
        <GuardedButton may={may} variant="default" onClick={() => show('edit')}>
          {t('inventory.edit')}
        </GuardedButton>
        <GuardedButton may={mayPassword} variant="default" onClick={() => show('password')}>
          {t('access.setPassword')}
        </GuardedButton>
        <GuardedButton may={may} variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {t('access.link')}
        </GuardedButton>
        <GuardedButton may={may} variant="default" onClick={() => show('toggle')}>
          {t(user.enabled ? 'access.disable' : 'access.enable')}
        </GuardedButton>
        <GuardedButton may={mayDelete} variant="default" onClick={() => show('delete')}>
          {t('action.delete')}
        </GuardedButton>
      </Group>
      {link.data && (
        <>
          <Banner state="degraded">{t('access.linkOnce')}</Banner>
          <CommandLine line={`${location.origin}/signin?code=${link.data.code}`} />
        </>
      )}
      {said && <Banner state="healthy">{said}</Banner>}
      {link.error && <Banner state="blocked">{problemOf(link.error).message}</Banner>}
      {open === 'edit' && <Edit user={user} onClose={close} />}
      {open === 'password' && (
        <Password id={user.id} onClose={close} onDone={() => setSaid(t('access.passwordSet', { name: user.name }))} />
      )}
      {open === 'toggle' && <Toggle user={user} onClose={close} />}
      {open === 'delete' && <Delete id={user.id} onClose={close} onGone={onGone} />}
    </Stack>
  );
}

function Toggle({ user: { id, name, enabled }, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDialog
      title={t(enabled ? 'access.disableTitle' : 'access.enableTitle', { name })}
      onClose={onClose}
      submit={t(enabled ? 'access.disable' : 'access.enable')}
      danger={enabled}
      command={`kairship user ${enabled ? 'disable' : 'enable'} ${name}`}
      act={() => users.updateUser({ id, enabled: !enabled })}
    >
      <Text size="sm">{t(enabled ? 'access.disableText' : 'access.enableText')}</Text>
    </FormDialog>
  );
}

function Edit({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [displayName, setDisplayName] = useState(user.displayName);
  const [email, setEmail] = useState(user.email);
  const [description, setDescription] = useState(user.description);
  return (
    <FormDialog
      title={user.name}
      onClose={onClose}
      submit={t('action.save')}
      command={curl('PUT', `/apis/ghippo.io/v1alpha1/users/${user.id}`, { displayName, email, description })}
      act={() => users.updateUser({ id: user.id, displayName, email, description })}
    >
      <TextInput
        label={t('access.displayName')}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('access.email')}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label={t('access.about')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

interface PasswordProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Password({ id, onClose, onDone }: PasswordProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={t('access.setPassword')}
      onClose={onClose}
      submit={t('access.setPassword')}
      disabled={password === ''}
      command={`kairship user password ${id} --password-stdin`}
      act={() => users.setUserPassword({ id, password })}
      then={async () => {
        onDone();
        onClose();
      }}
    >
      <Text size="sm">{t('access.setPasswordText')}</Text>
      <PasswordInput
        label={t('settings.newPassword')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
        data-autofocus
      />
    </FormDialog>
  );
}

interface DeleteProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onGone: () => void;
}

function Delete({ id, onClose, onGone }: DeleteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={t('access.deleteUser', { name: id })}
      onClose={onClose}
      danger
      submit={t('action.delete')}
      disabled={typed !== id}
      command={`kairship user delete ${id}`}
      act={() => users.deleteUser({ id })}
      then={async () => onGone()}
    >
      <Text size="sm">{t('access.deleteUserText')}</Text>
      <Prechecks of={[[typed === id, t('instance.checkName')]]} />
      <TextInput
        label={t('action.typeName', { name: id })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function Roles({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const scopeText = useScopeText();
  const asked = useQuery(UsersService.method.listUserRoles, { id });
  const groups = useQuery(UsersService.method.listUserGroups, { id });
  return (
    <Panel title={t('access.given')} flush>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.givenNothing')}>{t('access.givenNothingHint')}</Empty>
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('access.role')}</th>
                  <th scope="col">{t('access.where')}</th>
                  <th scope="col">{t('access.through')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ role, scope, through }, index) => (
                  <tr key={`${role}${index}`}>
                    <td className="mono">{role}</td>
                    <td>{scopeText(scope)}</td>
                    <td>
                      {!through || through.kind === Kind.User
                        ? t('access.themselves')
                        : `${wordOf(Subject_KindSchema, through.kind)} ${through.name}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      {(groups.data?.items.length ?? 0) > 0 && (
        <Text size="sm" p="sm">
          {t('access.inGroups', { groups: (groups.data?.items ?? []).join(', ') })}
        </Text>
      )}
    </Panel>
  );
}

function Tokens({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const asked = useQuery(UsersService.method.listUserAccessTokens, { id });
  return (
    <Panel title={t('settings.tokens')} flush>
      <Answer of={asked}>
        {({ items }) => (
          <TokenTable
            tokens={items}
            create={(token) => users.createUserAccessToken({ id, ...token })}
            drop={(aid) => users.deleteUserAccessToken({ id, aid })}
          />
        )}
      </Answer>
    </Panel>
  );
}
