/** The record of everything that was changed or refused: by whom, what, where and when. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AuditRecord_Verdict as Verdict, AuditService } from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { Scope_Type as Type } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { type May, useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { transport } from '../api/transport.ts';
import { Command } from '../parts/command.tsx';
import { download } from '../parts/download.ts';
import { GuardedButton } from '../parts/guarded.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/problems.tsx';
import { csvOf, gathered, MOST_EXPORTED } from './audit-csv.ts';
import { type AuditFilter, AuditTable } from './audit-table.tsx';

const VERDICTS = ['allowed', 'denied', 'failed'] as const;
const HOUR = 3_600_000;
const audits = createClient(AuditService, transport);
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
  const { user, action, instance, product, type, name, from, to } = search;
  const verdict = VERDICTS.find((word) => word === search.verdict);
  const time = search.since in TIMES ? (search.since as Time) : undefined;
  const filter: AuditFilter = {
    ...(user ? { user } : {}),
    ...(action ? { action } : {}),
    ...(product ? { product } : {}),
    ...(type ? { resourceType: type } : {}),
    ...(name ? { resourceName: name } : {}),
    ...(verdict ? { verdict: Verdict[verdict] } : {}),
    ...(instance ? { scope: { type: Type.Instance, instance } } : {}),
    ...(time ? { from: BigInt(minute(Date.now()) - TIMES[time]) } : {}),
    ...(from ? { from: BigInt(dayOf(from)) } : {}),
    ...(to ? { to: BigInt(dayOf(to) + 24 * HOUR) } : {}),
  };
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
      sub={<Kept />}
      actions={
        <>
          <Export filter={filter} may={may} />
          <Command lines={[command.filter(Boolean).join(' ')]} />
        </>
      }
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
          onChange={(next) => change({ since: next ?? '', from: '', to: '' })}
          w={150}
        />
        {(['product', 'type', 'name'] as const).map((one) => (
          <TextInput
            key={one}
            aria-label={t(`record.${one}`)}
            placeholder={t(`record.${one}`)}
            value={search[one]}
            onChange={(event) => change({ [one]: event.currentTarget.value })}
            w={150}
          />
        ))}
        {(['from', 'to'] as const).map((one) => (
          <TextInput
            key={one}
            type="date"
            aria-label={t(`record.${one}`)}
            title={t(`record.${one}`)}
            value={search[one]}
            // A day and a span until now exclude each other.
            onChange={(event) => change({ [one]: event.currentTarget.value, since: '' })}
            w={140}
          />
        ))}
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
            filter={{ ...filter, ...(pages.length > 0 ? { pageToken: pages.at(-1) ?? '' } : {}) }}
            onMore={(token) => setPages([...pages, token])}
          />
        )}
      </div>
    </Page>
  );
}

/** What is filtered, as a file; the newest of it where there is very much. */
function Export({ filter, may }: { readonly filter: AuditFilter; readonly may: May }) {
  const { t } = useTranslation();
  const exporting = useMutation({
    mutationFn: async () => {
      const all = await gathered((pageToken) => audits.listAudits({ ...filter, pageToken, pageSize: 500 }));
      download(`audit-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(all.records), 'text/csv');
      return all;
    },
  });
  return (
    <>
      <span className="soft" role="status" style={{ fontSize: 12 }}>
        {exporting.error && problemOf(exporting.error).message}
        {exporting.data &&
          t(exporting.data.more ? 'record.exportedSome' : 'record.exported', { count: exporting.data.records.length })}
      </span>
      <GuardedButton
        may={may}
        variant="default"
        leftSection={<Download size={14} aria-hidden />}
        loading={exporting.isPending}
        title={t('record.exportHint', { most: MOST_EXPORTED })}
        onClick={() => exporting.mutate()}
      >
        {t('record.export')}
      </GuardedButton>
    </>
  );
}

/** For how long records are kept. */
function Kept() {
  const { t } = useTranslation();
  const { data } = useQuery(AuditService.method.getAutoClearAuditTime, {});
  if (!data) return <>{t('audit.sub')}</>;
  return (
    <>
      {t('audit.sub')} · {t('record.kept', { count: data.days, size: size(Number(data.bytes)) })}
    </>
  );
}

function size(bytes: number): string {
  return bytes >= 1 << 30 ? `${Math.round(bytes / (1 << 30))} GiB` : `${Math.round(bytes / (1 << 20))} MiB`;
}

/** Where a day begins for whoever reads. */
function dayOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime() || 0;
}

/** To the minute: otherwise every look would be another question. */
function minute(at: number): number {
  return Math.floor(at / 60_000) * 60_000;
}
