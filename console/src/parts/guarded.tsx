/** Buttons and items that are disabled, not hidden, for whoever may not; the missing right is named. */
import { Button, type ButtonProps, Menu, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { May } from '../api/permissions.ts';

export function GuardedButton({
  may,
  ...button
}: ButtonProps & ComponentPropsWithoutRef<'button'> & { readonly may: May }) {
  const missing = useMissing(may);
  if (may.allowed) return <Button {...button} />;
  return (
    <Tooltip label={missing}>
      <Button {...button} disabled data-disabled aria-description={missing} />
    </Tooltip>
  );
}

interface ItemProps {
  readonly may: May;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: string;
}

/** One of a menu. */
export function GuardedItem({ may, icon, onClick, children }: ItemProps) {
  const missing = useMissing(may);
  return (
    <Tooltip label={missing} disabled={may.allowed} position="left">
      <Menu.Item
        disabled={!may.allowed}
        leftSection={icon}
        onClick={onClick}
        {...(may.allowed ? {} : { 'aria-description': missing })}
      >
        {children}
      </Menu.Item>
    </Tooltip>
  );
}

function useMissing({ missing }: May): string {
  const { t } = useTranslation();
  return missing ? t('action.needs', { right: missing }) : t('state.loading');
}
