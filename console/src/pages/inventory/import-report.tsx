/** What was found when a kubeconfig was looked at, check by check. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportReport } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { engineSays } from '../../i18n/language.ts';
import { Status } from '../../parts/status.tsx';

export function Report({ report }: { readonly report: Pick<ImportReport, 'checks' | 'missing'> }) {
  const { t } = useTranslation();
  return (
    <div className="panel" role="region" aria-label={t('inventory.report')}>
      <table className="grid">
        <tbody>
          {report.checks.map(({ name, ok, message }, index) => (
            <tr key={`${name}${index}`}>
              <td style={{ width: 130 }}>
                <Status state={ok ? 'healthy' : 'blocked'} word={name} />
              </td>
              <td style={{ overflowWrap: 'anywhere' }}>{engineSays(message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.missing.length > 0 && (
        <Text size="xs" p="sm">
          {t('inventory.missing')}{' '}
          <span className="mono">
            {report.missing
              .map(({ verb, group, resource }) => `${verb} ${[resource, group].filter(Boolean).join('.')}`)
              .join(', ')}
          </span>
        </Text>
      )}
    </div>
  );
}
