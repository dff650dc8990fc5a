/** The command that does the same, to copy: whatever is clicked here can be scripted. */
import { ActionIcon, Button, CopyButton, Popover, Stack, Text } from '@mantine/core';
import { Check, Copy, SquareTerminal } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function Command({ lines }: { readonly lines: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" shadow="md" width={460} withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" style={{ flex: 'none' }} leftSection={<SquareTerminal size={14} aria-hidden />}>
          {t('action.command')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          <Text size="xs" c="dimmed">
            {t('command.same')}
          </Text>
          {lines.map((line) => (
            <CommandLine key={line} line={line} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

export function CommandLine({ line }: { readonly line: string }) {
  const { t } = useTranslation();
  return (
    <div className="command">
      <pre className="code" tabIndex={0}>
        {line}
      </pre>
      <CopyButton value={line}>
        {({ copied, copy }) => (
          <ActionIcon onClick={copy} aria-label={copied ? t('action.copied') : t('action.copy')}>
            {copied ? <Check size={14} /> : <Copy size={14} />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
