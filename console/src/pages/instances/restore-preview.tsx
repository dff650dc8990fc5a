/** What a restore would change now, object by object, before anybody presses the button. */
import { useQuery } from '@connectrpc/connect-query';
import { useTranslation } from 'react-i18next';
import {
  InstanceBackup_Phase as Phase,
  InstanceService,
  RestoredObject_Change as Change,
  type RestoreInstanceResponse,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { Answer } from '../../parts/problems.tsx';
import { Banner, type State, Status } from '../../parts/status.tsx';

interface PreviewProps {
  readonly instance: string;
  readonly backup: string;
  readonly namespaces: string[];
}

export function RestorePreview({ instance, backup, namespaces }: PreviewProps) {
  const asked = useQuery(
    InstanceService.method.restoreInstance,
    { instance, backup, namespaces, dryRun: true },
    // It compares all there is: once for each question, and never by itself.
    { staleTime: Infinity, retry: false, refetchInterval: false, refetchOnWindowFocus: false, meta: { still: true } },
  );
  return <Answer of={asked}>{(data) => <Changes of={data} />}</Answer>;
}

const WORDS: Readonly<Record<number, readonly [State, 'created' | 'changed' | 'deleted']>> = {
  [Change.created]: ['healthy', 'created'],
  [Change.changed]: ['progressing', 'changed'],
  [Change.deleted]: ['degraded', 'deleted'],
};

function Changes({ of }: { readonly of: RestoreInstanceResponse }) {
  const { t } = useTranslation();
  const { phase, message, changes, created, changed, deleted } = of;
  if (phase !== Phase.Completed) return <Banner state="blocked">{message || t('backup.preview.late')}</Banner>;
  const total = created + changed + deleted;
  if (total === 0) return <Banner state="healthy">{t('backup.preview.nothing')}</Banner>;
  return (
    <>
      <Banner state={deleted > 0 ? 'degraded' : 'healthy'} imagined>
        <b>{t('backup.preview.sum', { created, changed, deleted })}</b>
      </Banner>
      <div
        className="panel"
        style={{ maxHeight: 240, overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={t('backup.preview.title')}
      >
        <table className="grid">
          <tbody>
            {changes.map(({ kind, namespace, name, change }) => {
              const [state, word] = WORDS[change] ?? ['unknown', 'changed'];
              return (
                <tr key={`${kind}/${namespace}/${name}`} data-restored={name}>
                  <td>
                    <b>{name}</b> <span className="soft">{[kind, namespace].filter(Boolean).join(' · ')}</span>
                  </td>
                  <td>
                    <Status imagined state={state} word={t(`backup.preview.${word}`)} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {total > changes.length && (
          <p className="soft" style={{ padding: '0 12px' }}>
            {t('backup.preview.more', { count: total - changes.length })}
          </p>
        )}
      </div>
    </>
  );
}
