/** A dialog that does one thing: what it needs, the command that does the same, and why it did not work. */
import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../api/problem.ts';
import { CommandLine } from './command.tsx';
import { Banner } from './status.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: ModalProps['size'];
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, size = 'md', children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} size={size} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      {children}
    </Modal>
  );
}

interface FormDialogProps extends DialogProps {
  /** What the button says. */
  readonly submit: string;
  readonly act: () => Promise<unknown>;
  /** What comes after, instead of closing. */
  readonly then?: () => Promise<void> | undefined;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** The same from a terminal. */
  readonly command?: string | undefined;
}

export function FormDialog({
  submit,
  act,
  then,
  disabled = false,
  danger = false,
  command,
  children,
  ...dialog
}: FormDialogProps) {
  const cache = useQueryClient();
  const done = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      if (then) await then();
      else dialog.onClose();
      await cache.invalidateQueries();
    },
  });
  return (
    <Dialog {...dialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled) done.mutate();
        }}
      >
        <Stack gap="sm">
          {children}
          {command !== undefined && <CommandLine line={command} />}
          {done.error && <Banner state="blocked">{problemOf(done.error).message}</Banner>}
          <Group justify="flex-end">
            <Button type="submit" disabled={disabled} loading={done.isPending} {...(danger ? { color: 'red.8' } : {})}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
