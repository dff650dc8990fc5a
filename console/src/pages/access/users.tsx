/** People: made here or at an identity provider, let in by password or by a link that works once. */
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { isLocal } from '../../api/words.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { useOpened, users } from './shared.ts';
import { UserDrawer } from './user-drawer.tsx';

export function Users() {
  const { t } = useTranslation();
  const [opened, open] = useOpened();
  const [words, setWords] = useState('');
  const [search] = useDebouncedValue(words, 250);
  const asked = useQuery(
    UsersService.method.listUsers,
    { pageSize: 200, search },
    { placeholderData: keepPreviousData },
  );
  const [creating, setCreating] = useState(false);
  const may = useMay('ghippo/user/create');
  return (
    <Panel
      title={t('access.tab.users')}
      flush
      aside={
        <>
          <TextInput
            aria-label={t('field.filterByName')}
            placeholder={t('field.filterByName')}
            leftSection={<Search size={13} aria-hidden />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            ml="auto"
          />
          <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            {t('access.createUser')}
          </GuardedButton>
        </>
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('table.noneMatch')} />
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('field.status')}</th>
                  <th scope="col">{t('access.email')}</th>
                  <th scope="col">{t('access.source')}</th>
                  <th scope="col">{t('field.created')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((user) => (
                  <tr key={user.id} data-user={user.name}>
                    <td>
                      <Anchor component="button" type="button" size="sm" fw={550} onClick={() => open(user.id)}>
                        {user.name}
                      </Anchor>{' '}
                      <span className="soft">{user.displayName}</span>
                    </td>
                    <td>
                      <Status
                        state={user.enabled ? 'healthy' : 'off'}
                        word={t(user.enabled ? 'access.enabled' : 'access.disabled')}
                      />
                    </td>
                    <td>{user.email || '–'}</td>
                    <td>{isLocal(user.source) ? t('access.local') : user.source}</td>
                    <td className="soft">
                      <When at={Number(user.createdAt)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
      {opened !== '' && <UserDrawer id={opened} onClose={() => open('')} />}
    </Panel>
  );
}

function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const words = [
    `kairship user create ${name || 'NAME'}`,
    displayName && `--display-name ${JSON.stringify(displayName)}`,
    email && `--email ${email}`,
    password ? '--password-stdin' : '--link',
  ];
  return (
    <FormDialog
      title={t('access.createUser')}
      onClose={onClose}
      submit={t('access.createUser')}
      disabled={name === ''}
      command={words.filter(Boolean).join(' ')}
      act={() => users.createUser({ name, displayName, email, password })}
    >
      <TextInput
        label={t('field.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={t('access.displayName')}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
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
    </FormDialog>
  );
}
