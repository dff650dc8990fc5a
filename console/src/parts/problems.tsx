/** What a page shows when it has nothing to show yet, nothing at all, or may not. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { CloudOff, FileQuestion, Inbox, Lock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { engineSays } from '../i18n/language.ts';
import { missingRight, type ProblemKind, problemOf } from '../api/problem.ts';

const ICONS: Readonly<Partial<Record<ProblemKind, typeof Lock>>> = {
  forbidden: Lock,
  missing: FileQuestion,
  unreachable: CloudOff,
};

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { t } = useTranslation();
  const { kind, message } = problemOf(error);
  const right = kind === 'forbidden' ? missingRight(message) : undefined;
  const Icon = ICONS[kind] ?? TriangleAlert;
  return (
    <Stack align="center" gap={6} py={36} px="md" role="alert">
      <Icon size={22} aria-hidden color="var(--k-soft)" />
      <Text fw={600}>{t(`problem.${kind}`)}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={560} component="div">
        {right === undefined ? engineSays(message) : t('action.needs', { right: right.right })}
        {right?.roles && <div>{t('problem.roles', right)}</div>}
      </Text>
      <Group gap={8} mt={6}>
        {kind === 'missing' && (
          <Button variant="default" onClick={() => history.back()}>
            {t('action.back')}
          </Button>
        )}
        {retry && kind !== 'forbidden' && (
          <Button variant="default" onClick={retry}>
            {t('action.retry')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} py={36} px="md">
      <Inbox size={22} aria-hidden color="var(--k-soft)" />
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center" maw={520} component="div">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}

export function Waiting({ rows = 4 }: { readonly rows?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap={8} p="sm" aria-busy aria-label={t('state.loading')} role="status">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={18} width={`${92 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** What an answer looks like, once it is there; what was shown before stays while it is asked again. */
export function Answer<T>({
  of: { data, error, refetch },
  children,
  rows,
}: {
  readonly of: Asked<T>;
  readonly children: (data: T) => ReactNode;
  readonly rows?: number;
}) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return <Waiting {...(rows === undefined ? {} : { rows })} />;
}
