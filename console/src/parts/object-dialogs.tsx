/** Changing and deleting one object, whatever its kind: with what would happen, and the command that does the same. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readYaml } from '../api/read-yaml.ts';
import type { ObjectRef, Thing } from '../api/objects.ts';
import { problemOf } from '../api/problem.ts';
import { effectWord, useSimulation } from '../api/simulation.ts';
import { CommandLine } from './command.tsx';
import { Dialog, FormDialog } from './dialog.tsx';
import { Effect } from './effect.tsx';
import { withValue } from '../pages/policy/policy-text.ts';
import type { Bound } from './fields.tsx';
import { Banner } from './status.tsx';
import { Yaml, yamlOf } from './yaml.tsx';

interface Props {
  readonly of: ObjectRef;
  readonly onClose: () => void;
  /** What comes after. */
  readonly onDone: () => unknown;
}

interface EditProps extends Props {
  readonly object: Thing;
  readonly save: (text: string) => Promise<unknown>;
  /** The same as a form, for kinds that have one; what is shown first. */
  readonly form?: ((of: Bound) => ReactNode) | undefined;
  readonly first?: 'form' | 'yaml';
}

/** The whole manifest, as a form or as text, with what would change while it is typed. */
export function EditYaml({ of, object, save, form, first = 'yaml', onClose, onDone }: EditProps) {
  const { t } = useTranslation();
  const [original] = useState(() => yamlOf({ ...object, status: undefined }));
  const [text, setText] = useState(original);
  const [view, setView] = useState(form ? first : 'yaml');
  const changed = text !== original;
  const read = readYaml(text);
  const effect = useSimulation(of.instance, changed && read ? { apply: [read] } : undefined);
  const { key, count } = effectWord(changed ? effect.data : undefined);
  const saving = useMutation({ mutationFn: () => save(text), onSuccess: onDone });
  return (
    <Dialog title={t('workload.edit', { name: of.name })} onClose={onClose} size="90%">
      <div className="two">
        <Stack gap="sm">
          {form && (
            <SegmentedControl
              style={{ alignSelf: 'flex-start' }}
              value={view}
              onChange={setView}
              data={[
                { value: 'form', label: t('policy.form') },
                { value: 'yaml', label: 'YAML' },
              ]}
            />
          )}
          {form && read && view === 'form' ? (
            form({ object: read, set: (path, value) => setText((now) => withValue(now, path, value)) })
          ) : (
            <Yaml label={t('action.editYaml')} value={text} onChange={setText} height="64vh" />
          )}
        </Stack>
        <Stack gap="sm">
          {changed ? (
            <Effect of={effect} />
          ) : (
            <Text c="dimmed" size="sm">
              {t('effect.typeToSee')}
            </Text>
          )}
          <CommandLine line={`kubectl ${inNamespace(of)}apply -f ${of.name}.yaml`} />
          {saving.error && <Banner state="blocked">{problemOf(saving.error).message}</Banner>}
          <Group justify="flex-end">
            <Button disabled={!changed || !read} loading={saving.isPending} onClick={() => saving.mutate()}>
              {t('effect.apply')} – {t(`effect.${key}`, { count })}
            </Button>
          </Group>
        </Stack>
      </div>
    </Dialog>
  );
}

interface DeleteProps extends Props {
  readonly remove: () => Promise<unknown>;
  /** What stands in the way of it, if anything does. */
  readonly refused?: ReactNode;
}

export function DeleteObject({ of, remove, refused, onClose, onDone }: DeleteProps) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const effect = useSimulation(instance, {
    remove: [{ apiVersion: kind.apiVersion, kind: kind.kind, namespace, name }],
  });
  return (
    <FormDialog
      title={t('workload.deleteTitle', { name })}
      size="lg"
      submit={t('action.delete')}
      danger
      disabled={refused !== undefined}
      act={remove}
      then={async () => {
        await onDone();
      }}
      onClose={onClose}
      command={`kubectl ${inNamespace(of)}delete ${kind.resource} ${name}`}
    >
      {!kind.kind.endsWith('Policy') && <Text size="sm">{t('workload.deleteText')}</Text>}
      {refused === undefined ? <Effect of={effect} /> : <Banner state="blocked">{refused}</Banner>}
    </FormDialog>
  );
}

/** `-n shop `, or nothing for what is in no namespace. */
export function inNamespace({ namespace }: Pick<ObjectRef, 'namespace'>): string {
  return namespace ? `-n ${namespace} ` : '';
}
