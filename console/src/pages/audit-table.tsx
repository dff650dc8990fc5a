/** Who did what, and who was not let. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Drawer, UnstyledButton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type AuditRecord,
  AuditRecord_Verdict as Verdict,
  AuditService,
} from '#gen/proto/ghippo/api/audit/v1alpha1/audit_service_pb.ts';
import type { ScopeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { engineSays } from '../i18n/language.ts';
import { Facts } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { type State, Status } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';

const STATES: Readonly<Record<number, State>> = {
  [Verdict.VERDICT_UNSPECIFIED]: 'unknown',
  [Verdict.allowed]: 'healthy',
  [Verdict.denied]: 'blocked',
  [Verdict.failed]: 'degraded',
};

export interface AuditFilter {
  readonly user?: string;
  readonly product?: string;
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly action?: string;
  readonly verdict?: Verdict;
  readonly scope?: MessageInitShape<typeof ScopeSchema>;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly pageToken?: string;
}

interface AuditTableProps {
  readonly most: number;
  readonly filter?: AuditFilter;
  /** Goes on where a page ended; without it there is one page. */
  readonly onMore?: (token: string) => void;
}

export function AuditTable({ most, filter = {}, onMore }: AuditTableProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<AuditRecord>();
  const asked = useQuery(
    AuditService.method.listAudits,
    { pageSize: most, ...filter },
    { placeholderData: keepPreviousData, refetchInterval: onMore ? 10_000 : false },
  );
  return (
    <Answer of={asked}>
      {({ items, nextPageToken }) =>
        items.length === 0 ? (
          <Empty title={t('audit.none')} />
        ) : (
          <>
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('event.when')}</th>
                  <th scope="col">{t('audit.who')}</th>
                  <th scope="col">{t('audit.did')}</th>
                  <th scope="col">{t('audit.what')}</th>
                  <th scope="col">{t('audit.verdict')}</th>
                  <th scope="col">{t('audit.why')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((record) => (
                  <tr key={record.id}>
                    <td className="soft">
                      <When at={Number(record.at)} />
                    </td>
                    <td className="tight">
                      {record.user} <span className="soft">{record.method}</span>
                    </td>
                    <td className="mono">
                      {onMore ? (
                        <UnstyledButton
                          className="mono"
                          fz="inherit"
                          c="var(--k-accent)"
                          onClick={() => setOpen(record)}
                        >
                          {record.action}
                        </UnstyledButton>
                      ) : (
                        record.action
                      )}
                    </td>
                    <td className="tight">
                      {[record.scope?.instance, record.scope?.namespace, record.resourceName]
                        .filter(Boolean)
                        .join(' / ') || '–'}
                    </td>
                    <td>
                      <Status state={STATES[record.verdict] ?? 'unknown'} word={t(`audit.${wordOf(record.verdict)}`)} />
                    </td>
                    <td className="soft">{engineSays(record.reason)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {open && <Details of={open} onClose={() => setOpen(undefined)} />}
            {onMore && nextPageToken !== '' && (
              <Button variant="subtle" m="sm" onClick={() => onMore(nextPageToken)}>
                {t('audit.older')}
              </Button>
            )}
          </>
        )
      }
    </Answer>
  );
}

/** All of a record, with what was sent along with it. */
function Details({ of, onClose }: { readonly of: AuditRecord; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={of.action}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Facts
        of={[
          [t('event.when'), <When key="when" full at={Number(of.at)} />],
          [t('audit.who'), `${of.user} (${of.method})`],
          [t('record.address'), of.address || '–'],
          [t('record.agent'), of.agent || '–'],
          [t('record.product'), of.product || '–'],
          [t('record.type'), of.resourceType || '–'],
          [t('record.name'), of.resourceName || '–'],
          [t('access.scope.Instance'), of.scope?.instance || '–'],
          [t('field.namespace'), of.scope?.namespace || '–'],
          [
            t('audit.verdict'),
            <Status key="v" state={STATES[of.verdict] ?? 'unknown'} word={t(`audit.${wordOf(of.verdict)}`)} />,
          ],
          [t('audit.why'), engineSays(of.reason) || '–'],
          [t('record.id'), of.id],
        ]}
      />
      {of.detail && Object.keys(of.detail).length > 0 && (
        <pre className="code" tabIndex={0}>
          {JSON.stringify(of.detail, null, 2)}
        </pre>
      )}
    </Drawer>
  );
}

function wordOf(verdict: Verdict): 'allowed' | 'denied' | 'failed' {
  return verdict === Verdict.denied ? 'denied' : verdict === Verdict.failed ? 'failed' : 'allowed';
}
