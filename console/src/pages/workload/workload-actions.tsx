/** What can be done with a workload. Whatever changes it opens its trace, so that one watches it arrive. */
import { createClient } from '@connectrpc/connect';
import { Button, Group, Menu, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, FileCode, Pause, Play, RotateCw, Scaling, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import type { JsonObject } from '@bufbuild/protobuf';
import { parse } from 'yaml';
import { DEPLOYMENT } from '../../api/kinds.ts';
import { deleteObject, type ObjectRef, patchObject, replaceObject, type Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { resourceOf } from './shared.ts';

const apps = createClient(AppsService, transport);

type Open = 'scale' | 'yaml' | 'delete' | undefined;

export function WorkloadActions({ of, object }: { readonly of: ObjectRef; readonly object: Thing }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const { instance, kind, namespace, name } = of;
  const may = useMay('kairship/custom-resource/update', { instance, namespace });
  const mayDelete = useMay('kairship/custom-resource/delete', { instance, namespace });
  const watchIt = () => {
    setOpen(undefined);
    void cache.invalidateQueries();
    void navigate({
      to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
      params: { instance, kind: kind.kind, namespace, name, tab: 'trace' },
    });
  };
  const rollout = useMutation({
    mutationFn: async (action: 'restart' | 'pause' | 'resume') => {
      const at = { instance, namespace, name };
      if (action === 'restart') await apps.restartDeployment(at);
      else if (action === 'pause') await apps.pauseDeployment(at);
      else await apps.resumeDeployment(at);
    },
    onSuccess: watchIt,
  });
  const { replicas, paused } = (object.spec ?? {}) as { readonly replicas?: number; readonly paused?: boolean };
  return (
    <Group gap={8}>
      {rollout.error && (
        <Text c="red" size="xs">
          {problemOf(rollout.error).message}
        </Text>
      )}
      <Command
        lines={[
          `kubectl -n ${namespace} get ${kind.resource} ${name} -o yaml`,
          ...(replicas === undefined
            ? []
            : [`kubectl -n ${namespace} scale ${kind.resource}/${name} --replicas=${replicas}`]),
          `kairship why ${kind.kind.toLowerCase()}/${name} -n ${namespace}`,
          `kairship trace ${kind.kind.toLowerCase()}/${name} -n ${namespace} -w`,
        ]}
      />
      {replicas !== undefined && (
        <GuardedButton
          may={may}
          variant="default"
          leftSection={<Scaling size={14} aria-hidden />}
          onClick={() => setOpen('scale')}
        >
          {t('action.scale')}
        </GuardedButton>
      )}
      <GuardedButton
        may={may}
        variant="default"
        leftSection={<FileCode size={14} aria-hidden />}
        onClick={() => setOpen('yaml')}
      >
        {t('action.editYaml')}
      </GuardedButton>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={13} aria-hidden />}>
            {t('action.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kind === DEPLOYMENT && (
            <>
              <Menu.Item
                disabled={!may.allowed}
                leftSection={<RotateCw size={14} />}
                onClick={() => rollout.mutate('restart')}
              >
                {t('action.restart')}
              </Menu.Item>
              <Menu.Item
                disabled={!may.allowed}
                leftSection={paused ? <Play size={14} /> : <Pause size={14} />}
                onClick={() => rollout.mutate(paused ? 'resume' : 'pause')}
              >
                {t(paused ? 'action.resume' : 'action.pause')}
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item disabled={!mayDelete.allowed} leftSection={<Trash2 size={14} />} onClick={() => setOpen('delete')}>
            {t('action.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'scale' && <Scale of={of} now={replicas ?? 0} onClose={() => setOpen(undefined)} onDone={watchIt} />}
      {open === 'yaml' && <EditYaml of={of} object={object} onClose={() => setOpen(undefined)} onDone={watchIt} />}
      {open === 'delete' && <Delete of={of} onClose={() => setOpen(undefined)} />}
    </Group>
  );
}

interface DialogProps {
  readonly of: ObjectRef;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Another number of replicas, with where they would go. */
function Scale({ of, now, onClose, onDone }: DialogProps & { readonly now: number }) {
  const { t } = useTranslation();
  const [replicas, setReplicas] = useState(now);
  const effect = useSimulation(
    of.instance,
    replicas === now ? undefined : { replicas: [{ ...resourceOf(of), replicas }] },
  );
  const { key, count } = effectWord(replicas === now ? undefined : effect.data);
  const scale = useMutation({ mutationFn: () => patchObject(of, { spec: { replicas } }), onSuccess: onDone });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workload.scale', { name: of.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <NumberInput
          label={t('field.replicas')}
          min={0}
          max={100_000}
          value={replicas}
          onChange={(value) => setReplicas(typeof value === 'number' ? value : now)}
          data-autofocus
        />
        {replicas !== now && <Effect of={effect} />}
        {scale.error && <Banner state="blocked">{problemOf(scale.error).message}</Banner>}
        <Group justify="flex-end">
          <Button disabled={replicas === now} loading={scale.isPending} onClick={() => scale.mutate()}>
            {t('effect.apply')} – {t(`effect.${key}`, { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The whole manifest, with what would change while it is typed. */
function EditYaml({ of, object, onClose, onDone }: DialogProps & { readonly object: Thing }) {
  const { t } = useTranslation();
  const [original] = useState(() => yamlOf(withoutStatus(object)));
  const [text, setText] = useState(original);
  const changed = text !== original;
  const read = readYaml(text);
  const effect = useSimulation(of.instance, changed && read ? { apply: [read] } : undefined);
  const { key, count } = effectWord(changed ? effect.data : undefined);
  const save = useMutation({ mutationFn: () => replaceObject(of, text), onSuccess: onDone });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workload.edit', { name: of.name })}
      size="90%"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <div className="two">
        <Yaml label={t('action.editYaml')} value={text} onChange={setText} height="64vh" />
        <Stack gap="sm">
          {changed ? (
            <Effect of={effect} />
          ) : (
            <Text c="dimmed" size="sm">
              {t('effect.typeToSee')}
            </Text>
          )}
          {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
          <Group justify="flex-end">
            <Button disabled={!changed || !read} loading={save.isPending} onClick={() => save.mutate()}>
              {t('effect.apply')} – {t(`effect.${key}`, { count })}
            </Button>
          </Group>
        </Stack>
      </div>
    </Modal>
  );
}

export function readYaml(text: string): JsonObject | undefined {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function withoutStatus(object: Thing): unknown {
  return { ...object, status: undefined };
}

function Delete({ of, onClose }: Omit<DialogProps, 'onDone'>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { instance, kind, namespace, name } = of;
  const effect = useSimulation(instance, { remove: [resourceOf(of)] });
  const remove = useMutation({
    mutationFn: () => deleteObject(of),
    onSuccess: async () => {
      await navigate({ to: '/i/$instance/workloads', params: { instance }, search: { kind: kind.kind } });
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workload.deleteTitle', { name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('workload.deleteText')}</Text>
        <Effect of={effect} />
        {remove.error && <Banner state="blocked">{problemOf(remove.error).message}</Banner>}
        <pre className="code">{`kubectl -n ${namespace} delete ${kind.resource} ${name}`}</pre>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('action.delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
