/** The way to taking over what runs in one cluster, for the kind that is being looked at. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { PackagePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function PromoteButton({ instance, kind }: { readonly instance: string; readonly kind: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Button
      variant="default"
      leftSection={<PackagePlus size={14} aria-hidden />}
      onClick={() => void navigate({ to: '/i/$instance/workloads/promote', params: { instance }, search: { kind } })}
    >
      {t('promote.title')}
    </Button>
  );
}
