/** Where instances would be: there is none yet, or none that one may see. */
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { useMay } from '../../api/permissions.ts';
import { Empty } from '../../parts/problems.tsx';

export function NoInstances({ action }: { readonly action?: ReactNode }) {
  const { t } = useTranslation();
  const { missing } = useMay('kairship/instance/list');
  return (
    <div className="panel">
      {missing ? (
        <Empty title={t('instance.noneSeen')}>{t('action.needs', { right: missing })}</Empty>
      ) : (
        <Empty title={t('instance.none')} action={action}>
          {t('instance.noneHint')}
        </Empty>
      )}
    </div>
  );
}
