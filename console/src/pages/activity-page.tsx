/** The record of everything that was changed or refused: by whom, what, where and when. */
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AuditRecord_Verdict as Verdict } from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { Scope_Type as Type } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useMay } from '../api/permissions.ts';
import { Command } from '../parts/command.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/problems.tsx';
import { AuditTable } from './audit-table.tsx';

const VERDICTS = ['allowed', 'denied', 'failed'] as const;
const HOUR = 3_600_000;
const TIMES = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;
type Time = keyof typeof TIMES;
const WORDS: Readonly<Record<Time, string>> = { hour: '1h', day: '24h', week: '168h', month: '720h' };

export function ActivityPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const instances = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const may = useMay('ghippo/audit/list');
  const [pages, setPages] = useState<readonly string[]>([]);
  const change = (next: Partial<typeof search>) => {
    setPages([]);
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  };
  const { user, action, instance } = search;
  const verdict = VERDICTS.find((word) => word === search.verdict);
  const time = search.since in TIMES ? (search.since as Time) : undefined;
  const command = [
    'kairship audit',
    user && `--user ${user}`,
    action && `--action ${action}`,
    verdict === 'denied' && '--denied',
    time && `--since ${WORDS[time]}`,
  ];
  return (
    <Page
      title={t('menu.activity')}
      sub={t('audit.sub')}
      actions={<Command lines={[command.filter(Boolean).join(' ')]} />}
    >
      <Group gap={8} mb={10}>
        <TextInput
          aria-label={t('audit.who')}
          placeholder={t('audit.anybody')}
          value={user}
          onChange={(event) => change({ user: event.currentTarget.value })}
          w={150}
        />
        <TextInput
          aria-label={t('audit.did')}
          placeholder={t('audit.anything')}
          value={action}
          onChange={(event) => change({ action: event.currentTarget.value })}
          w={230}
        />
        <Select
          aria-label={t('access.scope.Instance')}
          placeholder={t('search.everyInstance')}
          clearable
          data={instances.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
          value={instance || null}
          onChange={(next) => change({ instance: next ?? '' })}
          w={160}
        />
        <Select
          aria-label={t('audit.verdict')}
          placeholder={t('audit.anyVerdict')}
          clearable
          data={VERDICTS.map((value) => ({ value, label: t(`audit.${value}`) }))}
          value={verdict ?? null}
          onChange={(next) => change({ verdict: next ?? '' })}
          w={140}
        />
        <Select
          aria-label={t('event.when')}
          placeholder={t('audit.anyTime')}
          clearable
          data={(Object.keys(TIMES) as Time[]).map((value) => ({ value, label: t(`audit.time.${value}`) }))}
          value={time ?? null}
          onChange={(next) => change({ since: next ?? '' })}
          w={150}
        />
        {pages.length > 0 && (
          <Button variant="default" onClick={() => setPages(pages.slice(0, -1))}>
            {t('audit.newer')}
          </Button>
        )}
      </Group>
      <div className="panel" style={{ overflow: 'auto' }} tabIndex={0}>
        {may.missing !== '' ? (
          <Empty title={t('problem.forbidden')}>{t('action.needs', { right: may.missing })}</Empty>
        ) : (
          <AuditTable
            most={100}
            filter={{
              ...(user ? { user } : {}),
              ...(action ? { action } : {}),
              ...(verdict ? { verdict: Verdict[verdict] } : {}),
              ...(instance ? { scope: { type: Type.Instance, instance } } : {}),
              ...(time ? { from: BigInt(minute(Date.now()) - TIMES[time]) } : {}),
              ...(pages.length > 0 ? { pageToken: pages.at(-1) ?? '' } : {}),
            }}
            onMore={(token) => setPages([...pages, token])}
          />
        )}
      </div>
    </Page>
  );
}

/** To the minute: otherwise every look would be another question. */
function minute(at: number): number {
  return Math.floor(at / 60_000) * 60_000;
}
