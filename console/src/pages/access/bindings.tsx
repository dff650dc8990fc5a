/** Rights: a role, given to somebody somewhere. They are the only source of rights. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Subject_Kind as Kind, Subject_KindSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { wordOf } from '../../api/words.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { PLATFORM, ScopeFields, scopeOf, scopeText } from './scope-fields.tsx';

const access = createClient(AccessService, transport);

export function Bindings() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const asked = useQuery(AccessService.method.listBindings, { pageSize: 200 });
  const revoke = useMutation({
    mutationFn: (name: string) => access.revoke({ name }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Stack gap={14}>
      <GrantForm />
      <Panel title={t('access.tab.bindings')} flush>
        {revoke.error && <Banner state="blocked">{problemOf(revoke.error).message}</Banner>}
        <Answer of={asked}>
          {({ items }) => (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('access.who')}</th>
                  <th scope="col">{t('access.role')}</th>
                  <th scope="col">{t('access.where')}</th>
                  <th scope="col">{t('access.binding')}</th>
                  <th scope="col">{t('access.takeBack')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ name, role, scope, subjects }) => (
                  <tr key={name}>
                    <td>{subjects.map((one) => `${wordOf(Subject_KindSchema, one.kind)} ${one.name}`).join(', ')}</td>
                    <td className="mono">{role}</td>
                    <td>{scopeText(scope, t('access.platform'))}</td>
                    <td className="mono soft">{name}</td>
                    <td>
                      <ActionIcon aria-label={t('access.takeBackOf', { name })} onClick={() => revoke.mutate(name)}>
                        <Trash2 size={14} />
                      </ActionIcon>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Answer>
      </Panel>
    </Stack>
  );
}

function GrantForm() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const roles = useQuery(RoleService.method.listRoles, { pageSize: 200 });
  const [kind, setKind] = useState<'User' | 'Group'>('User');
  const [who, setWho] = useState('');
  const [role, setRole] = useState<string | null>(null);
  const [place, setPlace] = useState(PLATFORM);
  const may = useMay('ghippo/access/grant', {
    instance: place.instance || undefined,
    namespace: place.namespace || undefined,
  });
  const grant = useMutation({
    mutationFn: () =>
      access.grant({ role: role ?? '', scope: scopeOf(place), subjects: [{ kind: Kind[kind], name: who }] }),
    onSuccess: async () => {
      setWho('');
      await cache.invalidateQueries();
    },
  });
  return (
    <Panel title={t('access.grant')}>
      <Group gap={8} align="flex-end">
        <Select
          label={t('field.kind')}
          allowDeselect={false}
          data={['User', 'Group'] as const}
          value={kind}
          onChange={(next) => setKind(next ?? 'User')}
          w={110}
        />
        <TextInput label={t('access.who')} value={who} onChange={(event) => setWho(event.currentTarget.value)} />
        <Select
          label={t('access.role')}
          searchable
          data={roles.data?.items.map(({ name, displayName }) => ({ value: name, label: displayName || name })) ?? []}
          value={role}
          onChange={setRole}
        />
        <ScopeFields place={place} onChange={setPlace} />
        <GuardedButton
          may={may}
          disabled={who === '' || role === null}
          loading={grant.isPending}
          onClick={() => grant.mutate()}
        >
          {t('access.grant')}
        </GuardedButton>
      </Group>
      {grant.error && (
        <div style={{ marginTop: 10 }}>
          <Banner state="blocked">{problemOf(grant.error).message}</Banner>
        </div>
      )}
    </Panel>
  );
}
