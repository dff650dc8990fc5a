/** Access tokens of somebody: made here, told once, taken back at any time. */
import { ActionIcon, Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessToken } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { problemOf } from '../api/problem.ts';
import { CommandLine } from './command.tsx';
import { Empty } from './problems.tsx';
import { Banner } from './status.tsx';
import { When } from './when.tsx';

const DAY = 86_400;
const LIVES = { day: DAY, month: 30 * DAY, quarter: 90 * DAY } as const;
type Life = keyof typeof LIVES;

export interface NewToken {
  readonly description: string;
  readonly lifeSeconds: bigint;
  readonly permissions: string[];
}

interface TokensProps {
  readonly tokens: readonly AccessToken[];
  readonly create: (token: NewToken) => Promise<{ readonly token: string }>;
  readonly drop: (id: string) => Promise<unknown>;
}

export function TokenTable({ tokens, create, drop }: TokensProps) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const dropping = useMutation({ mutationFn: drop, onSuccess: () => cache.invalidateQueries() });
  return (
    <>
      <TokenForm create={create} />
      {dropping.error && <Banner state="blocked">{problemOf(dropping.error).message}</Banner>}
      {tokens.length === 0 ? (
        <Empty title={t('settings.noTokens')}>{t('settings.noTokensHint')}</Empty>
      ) : (
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{t('settings.tokenFor')}</th>
              <th scope="col">{t('settings.tokenMay')}</th>
              <th scope="col">{t('field.created')}</th>
              <th scope="col">{t('settings.ends')}</th>
              <th scope="col">{t('settings.used')}</th>
              <th scope="col">{t('action.remove')}</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.id}>
                <td>{token.description || '–'}</td>
                <td className="mono soft">{token.permissions.join(', ') || t('settings.tokenAll')}</td>
                <td className="soft">
                  <When at={Number(token.createdAt)} />
                </td>
                <td>{token.expiresAt > 0n ? <When full at={Number(token.expiresAt)} /> : t('settings.never')}</td>
                <td className="soft">
                  <When at={Number(token.lastUsedAt)} /> {token.lastUsedFrom && `· ${token.lastUsedFrom}`}
                </td>
                <td>
                  <ActionIcon
                    aria-label={t('settings.dropToken', { token: token.description })}
                    onClick={() => dropping.mutate(token.id)}
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
  );
}

function TokenForm({ create }: Pick<TokensProps, 'create'>) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [description, setDescription] = useState('');
  const [life, setLife] = useState<Life>('month');
  const [permissions, setPermissions] = useState<string[]>([]);
  const make = useMutation({
    mutationFn: () => create({ description, lifeSeconds: BigInt(LIVES[life]), permissions }),
    onSuccess: () => {
      setDescription('');
      return cache.invalidateQueries();
    },
  });
  return (
    <Stack gap="sm" px={14} py="sm">
      <Group gap={8} align="flex-end">
        <TextInput
          label={t('settings.tokenFor')}
          placeholder="ci"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          style={{ flex: 1, minWidth: 120 }}
        />
        <Select
          label={t('settings.tokenLife')}
          allowDeselect={false}
          data={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`settings.${value}`) }))}
          value={life}
          onChange={(next) => setLife(next ?? 'month')}
          w={110}
        />
        <TagsInput
          label={t('settings.tokenMay')}
          placeholder={permissions.length === 0 ? 'kairship/workload/*' : ''}
          value={permissions}
          onChange={setPermissions}
          style={{ flex: 1, minWidth: 180 }}
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
  );
}
