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
  Select,
  Stack,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { problemOf } from '../api/problem.ts';
import { transport } from '../api/transport.ts';
import { choose, LANGUAGES, type Language } from '../i18n/language.ts';
import { ago, moment } from '../i18n/words.ts';
import { CommandLine } from '../parts/command.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';

const account = createClient(AccountService, transport);

export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('menu.settings')} sub={t('settings.sub')}>
      <div className="two">
        <Stack gap={14}>
          <Tokens />
          <Sessions />
        </Stack>
        <Stack gap={14}>
          <Looks />
          <Password />
          <Keys />
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
            <Button type="submit" disabled={old === '' || next === ''} loading={change.isPending}>
              {t('settings.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

const LIVES = { day: 86_400, month: 30 * 86_400, quarter: 90 * 86_400 } as const;

function Tokens() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const asked = useQuery(AccountService.method.listAccessTokens, {});
  const [description, setDescription] = useState('');
  const [life, setLife] = useState<keyof typeof LIVES>('month');
  const make = useMutation({
    mutationFn: () => account.createAccessToken({ description, lifeSeconds: BigInt(LIVES[life]) }),
    onSuccess: () => {
      setDescription('');
      return cache.invalidateQueries();
    },
  });
  const drop = useMutation({
    mutationFn: (id: string) => account.deleteAccessToken({ id }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Panel title={t('settings.tokens')} flush>
      <Stack gap="sm" p="sm">
        <Group gap={8} align="flex-end">
          <TextInput
            label={t('settings.tokenFor')}
            placeholder="ci"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Select
            label={t('settings.tokenLife')}
            allowDeselect={false}
            data={(Object.keys(LIVES) as (keyof typeof LIVES)[]).map((value) => ({
              value,
              label: t(`settings.${value}`),
            }))}
            value={life}
            onChange={(next) => setLife(next ?? 'month')}
            w={130}
          />
          <Button disabled={description === ''} loading={make.isPending} onClick={() => make.mutate()}>
            {t('settings.makeToken')}
          </Button>
        </Group>
        {make.error && <Banner state="blocked">{problemOf(make.error).message}</Banner>}
        {make.data && (
          <>
            <Banner state="degraded">{t('settings.tokenOnce')}</Banner>
            <CommandLine line={make.data.token} />
          </>
        )}
      </Stack>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('settings.noTokens')} />
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('settings.tokenFor')}</th>
                  <th scope="col">{t('field.created')}</th>
                  <th scope="col">{t('settings.ends')}</th>
                  <th scope="col">{t('settings.used')}</th>
                  <th scope="col">
                    <span className="soft">{t('action.remove')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((token) => (
                  <tr key={token.id}>
                    <td>{token.description || '–'}</td>
                    <td className="soft">{ago(Number(token.createdAt))}</td>
                    <td>{token.expiresAt > 0n ? moment(Number(token.expiresAt)) : t('settings.never')}</td>
                    <td className="soft">
                      {token.lastUsedAt > 0n ? `${ago(Number(token.lastUsedAt))} · ${token.lastUsedFrom}` : '–'}
                    </td>
                    <td>
                      <ActionIcon
                        aria-label={t('settings.dropToken', { token: token.description })}
                        onClick={() => drop.mutate(token.id)}
                      >
                        <Trash2 size={14} />
                      </ActionIcon>
                    </td>
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

function Sessions() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const asked = useQuery(AccountService.method.listSessions, {});
  const end = useMutation({
    mutationFn: (id: string) => account.deleteSession({ id }),
    onSuccess: () => cache.invalidateQueries(),
  });
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
                    <div className="soft clip" style={{ maxWidth: 380 }}>
                      {session.agent}
                    </div>
                  </td>
                  <td>{session.method}</td>
                  <td className="soft">{session.current ? t('settings.thisOne') : ago(Number(session.seenAt))}</td>
                  <td>
                    {!session.current && (
                      <ActionIcon aria-label={t('settings.end')} onClick={() => end.mutate(session.id)}>
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
    </Panel>
  );
}

function Keys() {
  const { t } = useTranslation();
  const keys = [
    ['⌘K', 'palette'],
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
