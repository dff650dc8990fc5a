/** The record of everything that was changed or refused. */
import { Group, Select, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AuditRecord_Verdict as Verdict } from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import { Page } from '../parts/page.tsx';
import { AuditTable } from './audit-table.tsx';

const VERDICTS = ['allowed', 'denied', 'failed'] as const;

export function ActivityPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const verdict = VERDICTS.find((word) => word === search.verdict);
  return (
    <Page title={t('menu.activity')} sub={t('audit.sub')}>
      <Group gap={8} mb={10}>
        <TextInput
          aria-label={t('audit.who')}
          placeholder={t('audit.anybody')}
          value={search.user}
          onChange={(event) => {
            const user = event.currentTarget.value;
            void navigate({ search: (now) => ({ ...now, user }), replace: true });
          }}
        />
        <Select
          aria-label={t('audit.verdict')}
          placeholder={t('audit.anyVerdict')}
          clearable
          data={VERDICTS.map((value) => ({ value, label: t(`audit.${value}`) }))}
          value={verdict ?? null}
          onChange={(next) => void navigate({ search: (now) => ({ ...now, verdict: next ?? '' }) })}
        />
      </Group>
      <div className="panel" style={{ overflow: 'auto' }} tabIndex={0}>
        <AuditTable
          most={100}
          filter={{
            ...(search.user ? { user: search.user } : {}),
            ...(verdict ? { verdict: Verdict[verdict] } : {}),
          }}
        />
      </div>
    </Page>
  );
}
