/** One's own settings: looks, language, password, tokens, and where one is signed in. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import {
  ActionIcon,
  Button,
  Group,
  Kbd,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountService, type Session } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { agentName } from '../api/agent.ts';
import { curl } from '../api/pairs.ts';
import { problemOf } from '../api/problem.ts';
import { transport } from '../api/transport.ts';
import { isLocal } from '../api/words.ts';
import { choose, LANGUAGES, type Language } from '../i18n/language.ts';
import { ago } from '../i18n/words.ts';
import { Command } from '../parts/command.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { Answer } from '../parts/problems.tsx';
import { PALETTE_KEY } from '../parts/shortcut.ts';
import { Banner } from '../parts/status.tsx';
import { TokenTable } from '../parts/tokens.tsx';
import { Licence } from './licence.tsx';

const account = createClient(AccountService, transport);
const ME = '/apis/ghippo.io/v1alpha1/current-user';

export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('menu.settings')} sub={t('settings.sub')}>
      <div className="two">
        <Stack gap={14}>
          <Tokens />
          <Sessions />
          <Licence />
        </Stack>
        <Stack gap={14}>
          <Looks />
          <Person />
          <Password />
          <Keys />
          <About />
        </Stack>
      </div>
    </Page>
  );
}

function Looks() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title={t('settings.looks')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm">{t('shell.theme')}</Text>
          <SegmentedControl
            aria-label={t('shell.theme')}
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme)}
            data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(`shell.${value}`) }))}
          />
        </Group>
        <Group justify="space-between">
          <Text size="sm">{t('shell.language')}</Text>
          <SegmentedControl
            aria-label={t('shell.language')}
            value={i18n.language}
            onChange={(language) => void choose(language as Language)}
            data={(Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, label: LANGUAGES[value] }))}
          />
        </Group>
      </Stack>
    </Panel>
  );
}

function Password() {
  const { t } = useTranslation();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => account.updatePassword({ oldPassword: old, newPassword: next }),
    onSuccess: () => {
      setOld('');
      setNext('');
    },
  });
  return (
    <Panel title={t('settings.password')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack gap="sm">
          <PasswordInput
            label={t('settings.oldPassword')}
            value={old}
            onChange={(event) => setOld(event.currentTarget.value)}
            autoComplete="current-password"
          />
          <PasswordInput
            label={t('settings.newPassword')}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
            autoComplete="new-password"
          />
          {change.error && <Banner state="blocked">{problemOf(change.error).message}</Banner>}
          {change.isSuccess && <Banner state="healthy">{t('settings.passwordChanged')}</Banner>}
          <Group justify="flex-end">
            <Command lines={[curl('PUT', `${ME}/password`, { oldPassword: '…', newPassword: '…' })]} />
            <Button type="submit" disabled={old === '' || next === ''} loading={change.isPending}>
              {t('settings.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function Tokens() {
  const { t } = useTranslation();
  const asked = useQuery(AccountService.method.listAccessTokens, {});
  return (
    <Panel title={t('settings.tokens')} flush>
      <Answer of={asked}>
        {({ items }) => (
          <TokenTable
            tokens={items}
            create={(token) => account.createAccessToken(token)}
            drop={(id) => account.deleteAccessToken({ id })}
          />
        )}
      </Answer>
    </Panel>
  );
}

function Sessions() {
  const { t } = useTranslation();
  const asked = useQuery(AccountService.method.listSessions, {});
  const [ending, setEnding] = useState<Session>();
  return (
    <Panel title={t('settings.sessions')} flush>
      <Answer of={asked}>
        {({ items }) => (
          <table className="grid">
            <thead>
              <tr>
                <th scope="col">{t('settings.from')}</th>
                <th scope="col">{t('settings.by')}</th>
                <th scope="col">{t('settings.seen')}</th>
                <th scope="col">
                  <span className="soft">{t('settings.end')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((session) => (
                <tr key={session.id}>
                  <td>
                    {session.address}
                    <div className="soft clip" style={{ maxWidth: 380 }} title={session.agent}>
                      {agentName(session.agent)}
                    </div>
                  </td>
                  <td>{methodWord(t, session.method)}</td>
                  <td className="soft">{session.current ? t('settings.thisOne') : ago(Number(session.seenAt))}</td>
                  <td>
                    {!session.current && (
                      <ActionIcon aria-label={t('settings.end')} onClick={() => setEnding(session)}>
                        <Trash2 size={14} />
                      </ActionIcon>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answer>
      {ending && (
        <FormDialog
          title={t('access.endSession')}
          onClose={() => setEnding(undefined)}
          danger
          submit={t('settings.end')}
          command={curl('DELETE', `${ME}/sessions/${ending.id}`)}
          act={() => account.deleteSession({ id: ending.id })}
        >
          <Text size="sm">
            {t('access.endSessionText', { agent: agentName(ending.agent), address: ending.address })}
          </Text>
        </FormDialog>
      )}
    </Panel>
  );
}

function methodWord(t: TFunction, method: string): string {
  return t(`settings.method.${method}` as 'settings.method.link', { defaultValue: method });
}

/** Who one is here, and how one came in: what is known from elsewhere is changed there. */
function Person() {
  const { t } = useTranslation();
  const user = useQuery(AccountService.method.getUser, {});
  const sessions = useQuery(AccountService.method.listSessions, {});
  const current = sessions.data?.items.find((session) => session.current);
  return (
    <Panel title={t('settings.you')}>
      <Answer of={user} rows={3}>
        {({ name, displayName, email, source }) => (
          <Facts
            of={[
              [t('field.name'), [name, displayName].filter(Boolean).join(' · ')],
              [t('access.email'), email || '–'],
              [
                t('access.source'),
                isLocal(source) ? t('access.local') : t('settings.fromProvider', { provider: source }),
              ],
              [
                t('settings.signedInBy'),
                current ? `${methodWord(t, current.method)}, ${ago(Number(current.createdAt))}` : '–',
              ],
            ]}
          />
        )}
      </Answer>
    </Panel>
  );
}

function About() {
  const { t } = useTranslation();
  const { data } = useQuery(InstanceService.method.getInstanceKarmadaConfig, {});
  return (
    <Panel title={t('settings.about')}>
      <Facts
        of={[
          [t('settings.platform'), location.origin],
          [t('settings.karmada'), data?.version ?? '–'],
          [
            t('settings.api'),
            <a key="api" href="/openapi" rel="noreferrer" target="_blank">
              /openapi
            </a>,
          ],
        ]}
      />
    </Panel>
  );
}

function Keys() {
  const { t } = useTranslation();
  const keys = [
    [PALETTE_KEY, 'palette'],
    ['/', 'palette'],
    ['↑ ↓', 'rows'],
    ['Enter', 'open'],
    ['Space', 'peek'],
    ['Esc', 'close'],
  ] as const;
  return (
    <Panel title={t('settings.keys')}>
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <Kbd size="xs">{key}</Kbd>
            </dt>
            <dd>{t(`settings.key.${what}`)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
