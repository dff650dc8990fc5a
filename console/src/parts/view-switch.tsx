/** The same thing as a form or as text. */
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export type View = 'form' | 'yaml';

export function ViewSwitch({ value, onChange }: { readonly value: View; readonly onChange: (view: View) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      value={value}
      onChange={onChange}
      data={[
        { value: 'form', label: t('policy.form') },
        { value: 'yaml', label: 'YAML' },
      ]}
    />
  );
}
