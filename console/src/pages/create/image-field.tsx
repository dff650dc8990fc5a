/** Which image a container runs: written, taken from what runs already, or chosen from a registry. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageService } from '#gen/proto/kairship/api/image/v1alpha1/image_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { Dialog } from '../../parts/dialog.tsx';
import type { Bound } from '../../parts/fields.tsx';
import { Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { problemOf } from '../../api/problem.ts';
import { type Path, textAt } from '../policy/policy-text.ts';
import { imageName, offeredImages } from './images.ts';

/** In whose instance and namespace it is to run. */
export interface Place {
  readonly instance: string;
  readonly namespace: string;
}

interface Props {
  readonly of: Bound;
  readonly at: Path;
  readonly place: Place;
}

export function ImageField({ of, at, place }: Props) {
  const { t } = useTranslation();
  const [picking, setPicking] = useState(false);
  const [asking, setAsking] = useState(false);
  const value = textAt(of.object, at);
  const images = useRunningImages(place.instance, value, asking);
  return (
    <>
      <Autocomplete
        label={t('create.image')}
        description={t('create.imageHint')}
        placeholder="nginx:1.27"
        required
        size="xs"
        data={[...images]}
        limit={20}
        value={value}
        onFocus={() => setAsking(true)}
        onChange={(image) => of.set(at, image || undefined)}
        rightSection={
          <ActionIcon
            size="sm"
            aria-label={t('create.pickImage')}
            title={t('create.pickImage')}
            onClick={() => setPicking(true)}
          >
            <Package size={14} aria-hidden />
          </ActionIcon>
        }
      />
      {picking && (
        <RegistryDialog
          place={place}
          onClose={() => setPicking(false)}
          onChoose={(image) => {
            of.set(at, image);
            setPicking(false);
          }}
        />
      )}
    </>
  );
}

const MOST_OBJECTS = 100;

/** Found by what is typed, in every cluster of the instance; asked for when somebody begins. */
function useRunningImages(instance: string, typed: string, enabled: boolean): readonly string[] {
  const [words] = useDebouncedValue(typed.trim(), 250);
  const query = words === '' ? 'kind:pod' : `kind:pod image:${words}`;
  const { data } = useQuery(
    SearchService.method.search,
    { instance, query, includeObjects: true, pageSize: MOST_OBJECTS },
    { enabled, placeholderData: keepPreviousData, meta: { still: true } },
  );
  return offeredImages(data?.items.map(({ object }) => object) ?? []);
}

interface DialogProps {
  readonly place: Place;
  readonly onClose: () => void;
  readonly onChoose: (image: string) => void;
}

/** Registry, project, image, version; or how to have one, where there is none. */
function RegistryDialog({ place, onClose, onChoose }: DialogProps) {
  const { t } = useTranslation();
  const connected = useQuery(ImageService.method.detectKangaroo, {});
  return (
    <Dialog title={t('create.pickImage')} onClose={onClose} size="lg">
      {connected.data?.enabled === false ? (
        <Empty title={t('create.noRegistry')}>
          {t('create.noRegistryHint')} <code>kairship up --registry hub=https://hub.example</code>
        </Empty>
      ) : (
        <RegistryFields place={place} onChoose={onChoose} />
      )}
      {connected.error && <Banner state="blocked">{problemOf(connected.error).message}</Banner>}
    </Dialog>
  );
}

const MOST = 500;

function RegistryFields({ place, onChoose }: Omit<DialogProps, 'onClose'>) {
  const { t } = useTranslation();
  const [registry, setRegistry] = useState('');
  const [project, setProject] = useState('');
  const [repository, setRepository] = useState('');
  const [tag, setTag] = useState('');
  const at = { ...place, pageSize: MOST };
  const { method } = ImageService;
  const registries = useQuery(method.listRegistries, at);
  const chosen = registries.data?.items.find(({ name }) => name === registry);
  const projects = useQuery(method.listProjects, { ...at, registry }, { enabled: registry !== '' });
  const repositories = useQuery(
    method.listRepositories,
    { ...at, registry, project },
    { enabled: registry !== '' && project !== '' },
  );
  const versions = useQuery(
    method.listArtifacts,
    { ...at, registry, project, repository, pageSize: MOST_VERSIONS },
    { enabled: repository !== '' },
  );
  const error = registries.error ?? projects.error ?? repositories.error ?? versions.error;
  const tags = versions.data?.items.flatMap((version) => version.tags.map(({ name }) => name)) ?? [];
  const image = chosen && repository && tag ? imageName(chosen.host, project, repository, tag) : '';
  return (
    <Stack gap="sm">
      <Select
        label={t('create.registry')}
        data={registries.data?.items.map(({ name, host }) => ({ value: name, label: `${name} (${host})` })) ?? []}
        value={registry || null}
        onChange={(next) => {
          setRegistry(next ?? '');
          setProject('');
          setRepository('');
          setTag('');
        }}
      />
      <Select
        label={t('create.project')}
        data={projects.data?.items ?? []}
        value={project || null}
        searchable
        disabled={registry === ''}
        onChange={(next) => {
          setProject(next ?? '');
          setRepository('');
          setTag('');
        }}
      />
      <Select
        label={t('create.repository')}
        data={repositories.data?.items.map(({ name }) => name) ?? []}
        value={repository || null}
        searchable
        disabled={project === ''}
        onChange={(next) => {
          setRepository(next ?? '');
          setTag('');
        }}
      />
      <Select
        label={t('create.tag')}
        data={[...new Set(tags)]}
        value={tag || null}
        searchable
        disabled={repository === ''}
        onChange={(next) => setTag(next ?? '')}
      />
      {error && <Banner state="blocked">{problemOf(error).message}</Banner>}
      <Group justify="space-between">
        <Text size="sm" className="mono">
          {image}
        </Text>
        <Button disabled={image === ''} onClick={() => onChoose(image)}>
          {t('create.takeImage')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Each is asked of the registry by itself. */
const MOST_VERSIONS = 50;
