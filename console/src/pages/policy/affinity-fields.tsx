/** Which clusters: one choice of them, or groups that are tried in order until one fits. */
import { ActionIcon, Fieldset, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddButton, TextField } from '../../parts/fields.tsx';
import type { FormProps } from './policy-form.tsx';
import { moved, type Path, valueAt, withGroups } from './policy-text.ts';
import { TargetFields } from './target-fields.tsx';

interface Props extends FormProps {
  /** Where the placement is. */
  readonly at: Path;
}

export function AffinityFields({ instance, object, set, at }: Props) {
  const { t } = useTranslation();
  const path = [...at, 'clusterAffinities'];
  const found = valueAt(object, path);
  const groups = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const isGrouped = groups.length > 0;
  return (
    <Fieldset legend={t('policy.where')}>
      <Stack gap={8}>
        <SegmentedControl
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('policy.where')}
          value={isGrouped ? 'groups' : 'one'}
          onChange={(next) => set(at, withGroups(valueAt(object, at), next === 'groups'))}
          data={[
            // Going back with several would lose all but the first.
            { value: 'one', label: t('policy.oneChoice'), disabled: groups.length > 1 },
            { value: 'groups', label: t('policy.groups') },
          ]}
        />
        {!isGrouped && (
          <TargetFields
            instance={instance}
            object={object}
            set={set}
            at={[...at, 'clusterAffinity']}
            label={t('field.clusters')}
          />
        )}
        {isGrouped && (
          <>
            <Text size="xs" c="dimmed">
              {t('policy.groupsHint')}
            </Text>
            {groups.map((_, index) => (
              <AffinityGroup
                key={index}
                instance={instance}
                object={object}
                set={set}
                at={[...path, index]}
                number={index + 1}
                of={groups.length}
                onMove={(by) => set(path, moved(groups, index, by))}
                onRemove={() =>
                  set(
                    path,
                    groups.filter((__, position) => position !== index),
                  )
                }
              />
            ))}
            <AddButton
              label={t('policy.addGroup')}
              onClick={() => set(path, [...groups, { affinityName: `group-${groups.length + 1}` }])}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

interface GroupProps extends Props {
  readonly number: number;
  readonly of: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function AffinityGroup({ instance, object, set, at, number, of, onMove, onRemove }: GroupProps) {
  const { t } = useTranslation();
  const name = t('policy.group', { number });
  return (
    <Fieldset legend={name} data-group={number}>
      <Stack gap={8}>
        <Group gap={6} align="flex-end" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <TextField of={{ object, set }} at={[...at, 'affinityName']} label={t('field.name')} required />
          </div>
          <ActionIcon aria-label={t('policy.up', { name })} disabled={number === 1} mb={4} onClick={() => onMove(-1)}>
            <ArrowUp size={14} />
          </ActionIcon>
          <ActionIcon aria-label={t('policy.down', { name })} disabled={number === of} mb={4} onClick={() => onMove(1)}>
            <ArrowDown size={14} />
          </ActionIcon>
          <ActionIcon aria-label={t('action.remove')} disabled={of === 1} mb={4} onClick={onRemove}>
            <X size={14} />
          </ActionIcon>
        </Group>
        <TargetFields instance={instance} object={object} set={set} at={at} label={t('field.clusters')} />
      </Stack>
    </Fieldset>
  );
}
