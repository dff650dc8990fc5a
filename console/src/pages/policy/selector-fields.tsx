/** What a policy is for: kinds, and of each one by name, some by labels, or all. */
import { Fieldset, Group, Select, Stack, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { kindDefinedBy, useDefinitions } from '../../api/kind.ts';
import { CLAIM, CONFIG_MAP, INGRESS, type Kind, NAMESPACE, SECRET, SERVICE, WORKLOADS } from '../../api/kinds.ts';
import { Rows, TextField } from '../../parts/fields.tsx';
import type { FormProps } from './policy-form.tsx';
import { textAt, valueAt } from './policy-text.ts';
import { labelWords, requirementOf } from './targets.ts';

type Named = Pick<Kind, 'kind' | 'apiVersion'>;
const KNOWN: readonly Named[] = [...WORKLOADS, SERVICE, INGRESS, CONFIG_MAP, SECRET, CLAIM, NAMESPACE];
const PATH = ['spec', 'resourceSelectors'];

/** Those everybody has, and those that are defined in the instance. */
function useKinds(instance: string): readonly Named[] {
  const { data } = useDefinitions(instance);
  return [...KNOWN, ...(data?.items ?? []).flatMap((one) => kindDefinedBy(one) ?? [])];
}

export function Selectors({ instance, object, set }: FormProps) {
  const { t } = useTranslation();
  const of = { object, set };
  const kinds = useKinds(instance);
  const isWide = textAt(object, ['kind']).startsWith('Cluster');
  const versions = kinds.map(({ apiVersion }) => apiVersion);
  return (
    <Fieldset legend={t('policy.for')}>
      <Rows of={of} at={PATH} add={t('policy.addSelector')} fresh={{ apiVersion: 'apps/v1', kind: 'Deployment' }}>
        {(row) => {
          const [apiVersion, kind] = [textAt(object, [...row, 'apiVersion']), textAt(object, [...row, 'kind'])];
          const served = kinds.filter((one) => one.apiVersion === apiVersion).map((one) => one.kind);
          const choose = (version: string) => {
            set([...row, 'apiVersion'], version);
            const ofIt = kinds.filter((one) => one.apiVersion === version);
            // A version that serves no such kind brings its first.
            if (!ofIt.some((one) => one.kind === kind)) set([...row, 'kind'], ofIt[0]?.kind ?? kind);
          };
          return (
            <Stack gap={6}>
              <Group gap={6} grow>
                <Select
                  label={t('policy.apiVersion')}
                  data={[...new Set([...versions, apiVersion])].filter(Boolean)}
                  value={apiVersion || null}
                  searchable
                  allowDeselect={false}
                  onChange={(next) => next && choose(next)}
                />
                <Select
                  label={t('field.kind')}
                  data={[...new Set([...served, kind])].filter(Boolean)}
                  value={kind || null}
                  searchable
                  allowDeselect={false}
                  onChange={(next) => next && set([...row, 'kind'], next)}
                />
                <TextField of={of} at={[...row, 'name']} label={t('field.name')} placeholder={t('policy.allOfKind')} />
                {isWide && (
                  <TextField
                    of={of}
                    at={[...row, 'namespace']}
                    label={t('field.namespace')}
                    placeholder={t('field.allNamespaces')}
                  />
                )}
              </Group>
              <TagsInput
                label={t('policy.itsLabels')}
                placeholder={t('policy.labelHint')}
                // A name says more than any label.
                disabled={textAt(object, [...row, 'name']) !== ''}
                splitChars={[]}
                acceptValueOnBlur
                value={[...labelWords(valueAt(object, [...row, 'labelSelector']))]}
                onChange={(words) => set([...row, 'labelSelector'], requirementOf(words))}
              />
            </Stack>
          );
        }}
      </Rows>
    </Fieldset>
  );
}
