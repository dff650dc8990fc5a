/** Rights: a role, given to somebody somewhere. They are the only source of rights. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessService, type Binding } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { GroupService } from '#gen/proto/ghippo/api/group/v1alpha1/group_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import {
  Scope_Type as Type,
  Scope_TypeSchema,
  Subject_Kind as Kind,
  Subject_KindSchema,
} from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { wordOf } from '../../api/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { isWhole, placeFrom, placeWord } from './place.ts';
import { ScopeFields, scopeOf, useScopeText } from './scope-fields.tsx';
import { access } from './shared.ts';

export function Bindings() {
  const { t } = useTranslation();
  const scopeText = useScopeText();
  const asked = useQuery(AccessService.method.listBindings, { pageSize: 500 });
  const [revoking, setRevoking] = useState<Binding>();
  return (
    <Stack gap={14}>
      <GrantForm />
      <Panel title={t('access.tab.bindings')} flush>
        <Answer of={asked}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('access.noRights')} />
            ) : (
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
                  {items.map((binding) => (
                    <tr key={binding.name}>
                      <td>{subjectsText(binding)}</td>
                      <td className="mono">{binding.role}</td>
                      <td>{scopeText(binding.scope)}</td>
                      <td className="mono soft">{binding.name}</td>
                      <td>
                        <ActionIcon
                          aria-label={t('access.takeBackOf', { name: binding.name })}
                          onClick={() => setRevoking(binding)}
                        >
                          <Trash2 size={14} />
                        </ActionIcon>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Answer>
      </Panel>
      {revoking && <Revoke binding={revoking} onClose={() => setRevoking(undefined)} />}
    </Stack>
  );
}

function subjectsText({ subjects }: Binding): string {
  return subjects.map(({ kind, name }) => `${wordOf(Subject_KindSchema, kind)} ${name}`).join(', ');
}

function Revoke({ binding, onClose }: { readonly binding: Binding; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const scopeText = useScopeText();
  const { name, role, scope, subjects } = binding;
  const type = scope?.type ?? Type.Platform;
  const ids = [scope?.folder, scope?.workspace, scope?.instance, scope?.namespace].filter(Boolean);
  const place = [wordOf(Scope_TypeSchema, type).toLowerCase(), ...ids].join('/');
  const lines = subjects.map(
    (one) =>
      `kairship role revoke ${role} --to ${wordOf(Subject_KindSchema, one.kind).toLowerCase()}/${one.name} --in ${place}`,
  );
  return (
    <FormDialog
      title={t('access.takeBackOf', { name })}
      onClose={onClose}
      danger
      submit={t('access.takeBack')}
      command={lines.join('\n')}
      act={() => access.revoke({ name })}
    >
      <Text size="sm">{t('access.takeBackText', { who: subjectsText(binding), role, where: scopeText(scope) })}</Text>
    </FormDialog>
  );
}

const KINDS = ['User', 'Group', 'Role'] as const;

function useSubjects(kind: (typeof KINDS)[number]): string[] {
  const users = useQuery(UsersService.method.listUsers, { pageSize: 500 }, { enabled: kind === 'User' });
  const groups = useQuery(GroupService.method.listGroups, { pageSize: 500 }, { enabled: kind === 'Group' });
  const roles = useQuery(RoleService.method.listRoles, { pageSize: 200 }, { enabled: kind === 'Role' });
  const asked = { User: users, Group: groups, Role: roles }[kind];
  return asked.data?.items.map(({ name }) => name) ?? [];
}

function GrantForm() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const { place: word } = useSearch({ from: '/access' });
  const roles = useQuery(RoleService.method.listRoles, { pageSize: 200 });
  const [kind, setKind] = useState<(typeof KINDS)[number]>('User');
  const [who, setWho] = useState<string | null>(null);
  const [role, setRole] = useState<string | null>(null);
  const [place, setPlace] = useState(() => placeFrom(word));
  const subjects = useSubjects(kind);
  const may = useMay('ghippo/access/grant', {
    instance: (place.kind === 'Instance' && place.id) || undefined,
    namespace: place.namespace || undefined,
  });
  const grant = useMutation({
    mutationFn: () =>
      access.grant({ role: role ?? '', scope: scopeOf(place), subjects: [{ kind: Kind[kind], name: who ?? '' }] }),
    onSuccess: async () => {
      setWho(null);
      await cache.invalidateQueries();
    },
  });
  const isReady = who !== null && role !== null && isWhole(place);
  return (
    <Panel title={t('access.grant')}>
      <Stack gap="sm">
        <Group gap={8} align="flex-end">
          <Select
            label={t('field.kind')}
            allowDeselect={false}
            data={KINDS.map((value) => ({ value, label: t(`access.subject.${value}`) }))}
            value={kind}
            onChange={(next) => {
              setKind(next ?? 'User');
              setWho(null);
            }}
            w={110}
          />
          <Select label={t('access.who')} searchable data={subjects} value={who} onChange={setWho} w={170} />
          <Select
            label={t('access.role')}
            searchable
            data={roles.data?.items.map(({ name, displayName }) => ({ value: name, label: displayName || name })) ?? []}
            value={role}
            onChange={setRole}
            w={190}
          />
          <ScopeFields place={place} onChange={setPlace} />
          <GuardedButton may={may} disabled={!isReady} loading={grant.isPending} onClick={() => grant.mutate()}>
            {t('access.grant')}
          </GuardedButton>
        </Group>
        {isReady && (
          <CommandLine
            line={`kairship role grant ${role} --to ${kind.toLowerCase()}/${who} --in ${placeWord(place)}`}
          />
        )}
        {grant.error && <Banner state="blocked">{problemOf(grant.error).message}</Banner>}
        {grant.isSuccess && <Banner state="healthy">{t('access.granted')}</Banner>}
      </Stack>
    </Panel>
  );
}
