/**
 * A policy, new or changed: form and text side by side, and what it would do.
 *
 * The effect is simulated while one types; the button that applies it says what it will do.
 */
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BindingEffect_Verdict } from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import { kindOf, PROPAGATION } from '../../api/kinds.ts';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { deletePolicy, savePolicy } from '../../api/policies.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { placeOf } from '../../app/address.ts';
import { Command, CommandLine } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { type View, ViewSwitch } from '../../parts/view-switch.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { readYaml } from '../../api/read-yaml.ts';
import { DeleteObject, inNamespace } from '../../parts/object-dialogs.tsx';
import { OverrideChanges } from './override-changes.tsx';
import { OverrideForm } from './override-form.tsx';
import { missingIn } from './override-rules.ts';
import { PolicyForm } from './policy-form.tsx';
import { PolicyPlaces, usePlacedBy } from './policy-places.tsx';
import { PolicyPrecedence } from './policy-precedence.tsx';
import { newPolicyText, type Path, textAt, withValue } from './policy-text.ts';

export function NewPolicyPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind: word, ns, for: target } = useSearch({ from: '/i/$instance/policies/new' });
  const kind = kindOf(word) ?? PROPAGATION;
  const namespace = kind.namespaced ? ns || 'default' : '';
  const name = target || 'new-policy';
  const text = newPolicyText({ kind: kind.kind, namespace, name, ...(target ? { target } : {}) });
  return (
    <Page title={t('policy.new', { kind: kind.kind })}>
      <Editor key={word} of={{ instance, kind, namespace, name }} original={text} isNew />
    </Page>
  );
}

export function PolicyPage() {
  const { t } = useTranslation();
  const params = useParams({ from: '/i/$instance/policies/$kind/$namespace/$name' });
  const { saved } = useSearch({ from: '/i/$instance/policies/$kind/$namespace/$name' });
  const kind = kindOf(params.kind) ?? PROPAGATION;
  const namespace = params.namespace === '-' ? '' : params.namespace;
  const of: ObjectRef = { instance: params.instance, kind, namespace, name: params.name };
  const object = useObject(of);
  return (
    <Page
      title={params.name}
      sub={[kind.kind, namespace].filter(Boolean).join(' · ')}
      actions={
        <>
          <Command
            lines={[
              `kubectl ${namespace ? `-n ${namespace} ` : ''}get ${kind.resource} ${params.name} -o yaml`,
              `kairship plan -f policy.yaml`,
            ]}
          />
          <DeletePolicy of={of} policy={object.data} />
        </>
      }
    >
      <Answer of={object}>
        {(data) => {
          const { status: _, ...kept } = data;
          return (
            <Editor
              // A change from elsewhere begins anew; one's own text is not lost to a refresh that changes nothing.
              key={`${data.metadata.uid}${data.metadata.generation}`}
              of={of}
              original={yamlOf(kept)}
              isNew={false}
            />
          );
        }}
      </Answer>
      <Text size="xs" c="dimmed" my="sm">
        {t('policy.textIsTruth')}
      </Text>
      {object.data && kind.kind.endsWith('OverridePolicy') && <OverrideChanges of={of} policy={object.data} />}
      {object.data && kind.kind.endsWith('PropagationPolicy') && (
        <Stack gap={14}>
          <PolicyPlaces instance={params.instance} policy={object.data} saved={saved} />
          <PolicyPrecedence of={of} policy={object.data} />
        </Stack>
      )}
    </Page>
  );
}

/** So many users of a policy are named. */
const NAMED = 5;

function Editor({
  of,
  original,
  isNew,
}: {
  readonly of: ObjectRef;
  readonly original: string;
  readonly isNew: boolean;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(original);
  const [view, setView] = useState<View>('form');
  const { instance, kind } = of;
  const object = readYaml(text);
  const changed = isNew || text !== original;
  const effect = useSimulation(instance, changed && object ? { apply: [object] } : undefined);
  const Form = kind.kind.endsWith('OverridePolicy') ? OverrideForm : PolicyForm;
  return (
    <div className="two">
      <Panel title={t('policy.what')} aside={<ViewSwitch value={view} onChange={setView} />}>
        {view === 'yaml' || !object ? (
          <Yaml label="YAML" value={text} onChange={setText} height="62vh" />
        ) : (
          <Stack gap="sm">
            {isNew && (
              <NameFields
                object={object}
                namespaced={kind.namespaced}
                set={(path, value) => setText((now) => withValue(now, path, value))}
              />
            )}
            <Form
              instance={instance}
              object={object}
              set={(path, value) => setText((now) => withValue(now, path, value))}
            />
          </Stack>
        )}
      </Panel>
      {/* A form is long: what it would do stays in sight. */}
      <div style={{ position: 'sticky', top: 58, maxHeight: 'calc(100vh - 70px)', overflow: 'auto' }} tabIndex={0}>
        <Panel title={t('policy.effect')}>
          <Stack gap="sm">
            {changed ? (
              <Effect of={effect} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('effect.typeToSee')}
              </Text>
            )}
            <Apply
              of={of}
              text={text}
              object={object}
              isNew={isNew}
              changed={changed}
              effect={changed ? effect.data : undefined}
            />
          </Stack>
        </Panel>
      </div>
    </div>
  );
}

function NameFields({
  object,
  namespaced,
  set,
}: {
  readonly object: unknown;
  readonly namespaced: boolean;
  readonly set: (path: Path, value: unknown) => void;
}) {
  const { t } = useTranslation();
  const value = (path: Path) => textAt(object, path);
  return (
    <Group gap="sm" grow>
      <TextInput
        label={t('field.name')}
        value={value(['metadata', 'name'])}
        onChange={(event) => set(['metadata', 'name'], event.currentTarget.value)}
        required
      />
      {namespaced && (
        <TextInput
          label={t('field.namespace')}
          value={value(['metadata', 'namespace'])}
          onChange={(event) => set(['metadata', 'namespace'], event.currentTarget.value)}
          required
        />
      )}
    </Group>
  );
}

/** What the change makes a difference to. */
function concerned(effect: ApplyProps['effect']) {
  return (effect?.bindings ?? [])
    .filter(({ verdict }) => verdict !== BindingEffect_Verdict.unchanged)
    .flatMap(({ template }) => template ?? []);
}

interface ApplyProps {
  readonly of: ObjectRef;
  readonly text: string;
  readonly object: unknown;
  readonly isNew: boolean;
  readonly changed: boolean;
  readonly effect: Parameters<typeof effectWord>[0];
}

function Apply({ of, text, object, isNew, changed, effect }: ApplyProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { instance, kind } = of;
  const name = textAt(object, ['metadata', 'name']);
  const namespace = kind.namespaced ? textAt(object, ['metadata', 'namespace']) : '';
  const right = `kairship/${kind.namespaced ? 'policy' : 'cluster-policy'}/${isNew ? 'create' : 'update'}`;
  const may = useMay(right, { instance, ...(namespace ? { namespace } : {}) });
  const save = useMutation({
    mutationFn: () => savePolicy({ instance, kind, namespace, name }, text, isNew),
    onSuccess: async () => {
      await cache.invalidateQueries();
      const [only, ...others] = concerned(effect).flatMap((one) => placeOf({ instance, cluster: '', ...one }) ?? []);
      if (only !== undefined && others.length === 0) return navigate({ href: `${only}/trace` });
      return navigate({
        to: '/i/$instance/policies/$kind/$namespace/$name',
        params: { instance, kind: kind.kind, namespace: namespace || '-', name },
        search: { saved: true },
      });
    },
  });
  const { key, count } = effectWord(effect);
  const missing = missingIn(object);
  return (
    <>
      <CommandLine line={`kubectl ${inNamespace({ namespace })}apply -f ${name || 'policy'}.yaml`} />
      {missing.length > 0 && (
        <Banner state="blocked">
          {t('override.missing', { paths: missing.map((path) => path.join('.')).join(', ') })}
        </Banner>
      )}
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
      {save.isSuccess && !changed && <Banner state="healthy">{t('policy.saved')}</Banner>}
      <Group justify="flex-end">
        <GuardedButton
          may={may}
          disabled={!changed || !object || missing.length > 0}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('effect.apply')} – {t(`effect.${key}`, { count })}
        </GuardedButton>
      </Group>
    </>
  );
}

interface DeleteProps {
  readonly of: ObjectRef;
  readonly policy: Thing | undefined;
}

function DeletePolicy({ of, policy }: DeleteProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { instance, kind, namespace } = of;
  const may = useMay(`kairship/${kind.namespaced ? 'policy' : 'cluster-policy'}/delete`, {
    instance,
    ...(namespace ? { namespace } : {}),
  });
  return (
    <>
      <GuardedButton may={may} variant="default" onClick={() => setOpen(true)}>
        {t('action.delete')}
      </GuardedButton>
      {open && <ConfirmDelete of={of} policy={policy} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What a policy places would stay where it is, placed by nobody: so the service refuses, and this says so before. */
function ConfirmDelete({ of, policy, onClose }: DeleteProps & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { instance, kind } = of;
  const users = usePlacedBy(instance, policy).data ?? [];
  return (
    <DeleteObject
      of={of}
      remove={() => deletePolicy(of)}
      refused={
        users.length > 0
          ? t('policy.inUse', {
              count: users.length,
              names: users
                .slice(0, NAMED)
                .map((one) => `${one.kind} ${one.name}`)
                .join(', '),
            })
          : undefined
      }
      onClose={onClose}
      onDone={() => navigate({ to: '/i/$instance/policies', params: { instance }, search: { kind: kind.kind } })}
    />
  );
}
