/** The way to taking over what runs in one cluster, for the kind that is being looked at. */
import { useNavigate } from '@tanstack/react-router';
import { PackagePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../api/permissions.ts';
import { GuardedButton } from './guarded.tsx';

interface PromoteButtonProps {
  readonly instance: string;
  readonly kind: string;
  /** What taking over this kind needs. */
  readonly right: string;
}

export function PromoteButton({ instance, kind, right }: PromoteButtonProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useMay(right, { instance });
  return (
    <GuardedButton
      may={may}
      variant="default"
      leftSection={<PackagePlus size={14} aria-hidden />}
      onClick={() => void navigate({ to: '/i/$instance/workloads/promote', params: { instance }, search: { kind } })}
    >
      {t('promote.title')}
    </GuardedButton>
  );
}
