/** A kubeconfig: pasted, or read from a file. */
import { Button, FileButton, Textarea } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function KubeconfigField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Textarea
        label="Kubeconfig"
        description={t('inventory.kubeconfigHint')}
        autosize
        minRows={6}
        maxRows={12}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        styles={{ input: { fontFamily: 'var(--k-mono)' } }}
      />
      <FileButton onChange={(file) => void file?.text().then(onChange)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<Upload size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('inventory.file')}
          </Button>
        )}
      </FileButton>
    </>
  );
}
