/** Instances: made here, watched while they start, and deleted when nothing is left inside. */
import { useQuery } from '@connectrpc/connect-query';
import { TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useInstancesLive } from '../api/instances-live.ts';
import { useMay } from '../api/permissions.ts';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { InstanceTile } from './home-page.tsx';
import { CreateInstance } from './instances/create-instance.tsx';
import { NoInstances } from './instances/no-instances.tsx';

export function InstancesPage() {
  const { t } = useTranslation();
  const live = useInstancesLive();
  const asked = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const [creating, setCreating] = useState(false);
  const { q: words } = useSearch({ from: '/instances' });
  const navigate = useNavigate({ from: '/instances' });
  const may = useMay('kairship/instance/create');
  return (
    <Page
      title={t('menu.instances')}
      sub={t('instance.sub')}
      actions={
        <>
          <LiveChip state={live} />
          <TextInput
            aria-label={t('field.filterByName')}
            placeholder={t('field.filterByName')}
            leftSection={<Search size={13} aria-hidden />}
            value={words}
            onChange={(event) => void navigate({ search: { q: event.currentTarget.value }, replace: true })}
          />
          <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            {t('instance.create')}
          </GuardedButton>
        </>
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <NoInstances />
          ) : !items.some(named(words)) ? (
            <div className="panel">
              <Empty title={t('table.noneMatch')}>{t('table.noneMatchHint')}</Empty>
            </div>
          ) : (
            <div className="tiles">
              {items.filter(named(words)).map((instance) => (
                <InstanceTile key={instance.metadata?.name} instance={instance} />
              ))}
            </div>
          )
        }
      </Answer>
      {creating && <CreateInstance onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** By name or by alias. */
function named(words: string): (instance: Instance) => boolean {
  const wanted = words.trim().toLowerCase();
  return ({ metadata }) =>
    `${metadata?.name} ${metadata?.annotations['kairship.io/alias-name'] ?? ''}`.toLowerCase().includes(wanted);
}
