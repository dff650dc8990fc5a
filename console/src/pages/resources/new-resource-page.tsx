/** A new resource of any kind, as a form or as YAML, with what would come of it. */
import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKind } from '../../api/kind.ts';
import { type Kind, wordFor } from '../../api/kinds.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { readYaml } from '../../api/read-yaml.ts';
import { inNamespace } from '../../parts/object-dialogs.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Waiting } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { type View, ViewSwitch } from '../../parts/view-switch.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { textAt, withValue } from '../policy/policy-text.ts';
import { createPlaced, rightTo } from './changes.ts';
import { isComplete, newPosition, policyOf, positionsOf } from './position.ts';
import { PositionFields } from './position-fields.tsx';
import { hasForm, ResourceForm } from './resource-form.tsx';
import { newResourceText } from './resource-text.ts';

export function NewResourcePage() {
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind: word, ns } = useSearch({ from: '/i/$instance/resources/new' });
  const kind = useKind(instance, word);
  if (!kind) return <Waiting />;
  return <NewResource key={word} instance={instance} kind={kind} namespace={ns || 'default'} />;
}

interface Props {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
}

function NewResource({ instance, kind, namespace: begun }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [text, setText] = useState(() => newResourceText(kind, begun));
  const [view, setView] = useState<View>(hasForm(kind.kind) ? 'form' : 'yaml');
  const object = readYaml(text);
  const name = textAt(object, ['metadata', 'name']);
  const namespace = kind.namespaced ? textAt(object, ['metadata', 'namespace'], begun) : '';
  const [position, setPosition] = useState(newPosition);
  const policy = policyOf(position, kind, { namespace, name });
  const read = policy === undefined ? undefined : readYaml(policy);
  const effect = useSimulation(instance, object ? { apply: [object, ...(read ? [read] : [])] } : undefined);
  const { key, count } = effectWord(effect.data);
  const inherits = position.mode === 'inherit';
  const may = useMay(rightTo('create', kind), { instance, ...(namespace ? { namespace } : {}) });
  const create = useMutation({
    mutationFn: () => createPlaced({ instance, kind, namespace, name }, text, position),
    onSuccess: async () => {
      void cache.invalidateQueries();
      await navigate({
        to: '/i/$instance/resources/$kind/$namespace/$name/{-$tab}',
        params: {
          instance,
          kind: wordFor(kind),
          namespace: namespace || '-',
          name,
          tab: position.mode !== 'matching' || (effect.data?.bindings.length ?? 0) > 0 ? 'trace' : undefined,
        },
      });
    },
  });
  return (
    <Page title={t('resource.new', { kind: kind.kind })} sub={t('resource.newSub')}>
      <div className="two">
        <Panel title={kind.kind} aside={hasForm(kind.kind) && <ViewSwitch value={view} onChange={setView} />}>
          {object && view === 'form' && hasForm(kind.kind) ? (
            <Stack gap="sm">
              <ResourceForm
                of={{ object, set: (path, value) => setText((now) => withValue(now, path, value)) }}
                kind={kind.kind}
                isNew
              />
              {positionsOf(kind).length > 1 && (
                <PositionFields
                  instance={instance}
                  kind={kind}
                  namespace={namespace}
                  position={position}
                  onChange={(change) => {
                    const next = change(position);
                    // The selector is then the workload's, unless somebody writes another.
                    if (next.mode === 'inherit' && position.mode !== 'inherit')
                      setText((now) => withValue(now, ['spec', 'selector'], undefined));
                    setPosition(change);
                  }}
                />
              )}
            </Stack>
          ) : (
            <Yaml label={t('resource.new', { kind: kind.kind })} value={text} onChange={setText} height="62vh" />
          )}
        </Panel>
        <Panel title={t('policy.effect')}>
          <Stack gap="sm">
            {object === undefined && <Banner state="blocked">{t('create.unreadable')}</Banner>}
            {object && !inherits && <Effect of={effect} />}
            {inherits && <Text size="sm">{t('position.hint.inherit')}</Text>}
            {object && position.mode === 'matching' && effect.data?.bindings.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('resource.staysHere')}
              </Text>
            )}
            <CommandLine line={`kubectl ${inNamespace({ namespace })}apply -f ${name || 'resource'}.yaml`} />
            {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
            <GuardedButton
              may={may}
              disabled={!object || name === '' || !isComplete(position)}
              loading={create.isPending}
              onClick={() => create.mutate()}
              style={{ alignSelf: 'flex-end' }}
            >
              {inherits ? t('action.create') : `${t('action.create')} – ${t(`effect.${key}`, { count })}`}
            </GuardedButton>
          </Stack>
        </Panel>
      </div>
    </Page>
  );
}
