/** Buttons that are disabled, not hidden, for whoever may not; the missing right is named. */
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { May } from '../api/permissions.ts';

export function GuardedButton({
  may,
  ...button
}: ButtonProps & ComponentPropsWithoutRef<'button'> & { readonly may: May }) {
  const { t } = useTranslation();
  if (may.allowed) return <Button {...button} />;
  const label = may.missing ? t('action.needs', { right: may.missing }) : t('state.loading');
  return (
    <Tooltip label={label}>
      <Button {...button} disabled data-disabled aria-description={label} />
    </Tooltip>
  );
}
