/** Changing and deleting one object, whatever its kind: with what would happen, and the command that does the same. */
import type { JsonObject } from '@bufbuild/protobuf';
import { Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readYaml } from '../api/read-yaml.ts';
import { stringify } from 'yaml';
import { isSameText, saveOver, versioned, whole } from '../api/edited.ts';
import { withoutNoise } from '../api/noise.ts';
import { type ObjectRef, type Thing, useObject } from '../api/objects.ts';
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

/** What is read may be older than what is there by so much. */
const CATCHES_UP_MS = 700;

interface EditProps extends Props {
  readonly object: Thing;
  readonly save: (text: string) => Promise<unknown>;
  /** The same as a form, for kinds that have one; what is shown first. */
  readonly form?: ((of: Bound) => ReactNode) | undefined;
  readonly first?: 'form' | 'yaml';
}

/**
 * The whole manifest, as a form or as text, with what would change while it is typed.
 *
 * What machines keep in it is hidden unless asked for, and sent along all the same. What somebody else has changed
 * meanwhile is not overwritten: the change is refused, and can be begun again from what it is now.
 */
export function EditYaml({ of, object, save, form, first = 'yaml', onClose, onDone }: EditProps) {
  const { t } = useTranslation();
  const latest = useObject(of);
  const [base, setBase] = useState(object);
  const [everything, setEverything] = useState(false);
  const [text, setText] = useState(() => shown(object, false));
  const [view, setView] = useState(form ? first : 'yaml');
  const changed = text !== shown(base, everything);
  const read = readYaml(text);
  const now = latest.data ?? object;
  const isStale = !isSameText(base, now);
  const edited = read && (everything ? read : whole(read, base));
  const effect = useSimulation(of.instance, changed && edited ? { apply: [edited as JsonObject] } : undefined);
  const { key, count } = effectWord(changed ? effect.data : undefined);
  const saving = useMutation({
    mutationFn: async () => {
      const saved = await saveOver({
        base,
        edited: edited ?? {},
        read: async () => (await latest.refetch()).data ?? now,
        save: (object) => save(stringify(object)),
        pause: () => new Promise((resolve) => setTimeout(resolve, CATCHES_UP_MS)),
      });
      if (!saved) throw new Error(t('edit.stale'));
    },
    onSuccess: onDone,
  });
  const show = (all: boolean) => {
    const other = read && (all ? versioned(whole(read, base), base) : withoutNoise(read, true));
    setEverything(all);
    setText(changed && other ? yamlOf(other) : shown(base, all));
  };
  const startAgain = () => {
    setBase(now);
    setText(shown(now, everything));
    saving.reset();
  };
  return (
    <Dialog title={t('workload.edit', { name: of.name })} onClose={onClose} size="90%">
      <div className="two">
        <Stack gap="sm">
          <Group justify="space-between">
            {form ? (
              <SegmentedControl
                value={view}
                onChange={setView}
                data={[
                  { value: 'form', label: t('policy.form') },
                  { value: 'yaml', label: 'YAML' },
                ]}
              />
            ) : (
              <span />
            )}
            {view === 'yaml' && (
              <Switch
                size="xs"
                label={t('edit.everything')}
                checked={everything}
                onChange={(event) => show(event.currentTarget.checked)}
              />
            )}
          </Group>
          {form && read && view === 'form' ? (
            form({ object: read, set: (path, value) => setText((was) => withValue(was, path, value)) })
          ) : (
            <Yaml label={t('action.editYaml')} value={text} onChange={setText} height="64vh" />
          )}
        </Stack>
        <Stack gap="sm">
          {isStale && (
            <Banner
              state="degraded"
              action={
                <Button size="xs" variant="default" onClick={startAgain}>
                  {t('edit.startAgain')}
                </Button>
              }
            >
              {t('edit.stale')}
            </Banner>
          )}
          {changed ? (
            <Effect of={effect} />
          ) : (
            <Text c="dimmed" size="sm">
              {t('effect.typeToSee')}
            </Text>
          )}
          <CommandLine line={`kubectl ${inNamespace(of)}apply -f ${of.name}.yaml`} />
          {saving.error && !isStale && <Banner state="blocked">{problemOf(saving.error).message}</Banner>}
          <Group justify="flex-end">
            <Button disabled={!changed || !read || isStale} loading={saving.isPending} onClick={() => saving.mutate()}>
              {t('effect.apply')} – {t(`effect.${key}`, { count })}
            </Button>
          </Group>
        </Stack>
      </div>
    </Dialog>
  );
}

/** To be edited: all but its status, or only what somebody could have written. */
function shown(object: Thing, everything: boolean): string {
  return yamlOf({ ...object, status: undefined }, { plain: !everything });
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
