/** How often the scheduler decided in the last hour, and what it decided last. */
import { useQuery } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TraceService } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { counted } from '../../parts/chart/series.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { millis } from '../workload/shared.ts';

const HOUR = 3_600_000;
const SLOT_MS = 120_000;
/** Traces of the things that changed last. */
const MOST = 200;

export function Decisions({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(TraceService.method.listTraces, { instance, pageSize: MOST });
  return (
    <Panel
      title={t('overview.decisions')}
      aside={
        <Link to="/i/$instance/resilience" params={{ instance }} search={{}}>
          {t('overview.history')}
        </Link>
      }
    >
      <Answer of={asked} rows={3}>
        {({ items }) => {
          const now = Date.now();
          const times = items
            .flatMap(({ runs }) => runs.flatMap(({ steps }) => steps))
            .filter(({ name }) => name === 'scheduled')
            .map(({ startedAt }) => millis(startedAt))
            .filter((at) => at > now - HOUR);
          const samples = counted(times, now - HOUR, now, SLOT_MS);
          return (
            <>
              <p className="soft" style={{ margin: '0 0 6px', fontSize: 13 }}>
                {t('overview.decided', { count: times.length })}
              </p>
              <Chart
                label={t('overview.decisions')}
                lines={[{ label: t('overview.decisionsLine'), samples }]}
                slotMs={SLOT_MS}
                height={120}
                bars
                format={whole}
              />
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}

const whole = (value: number) => (Number.isInteger(value) ? String(value) : '');
