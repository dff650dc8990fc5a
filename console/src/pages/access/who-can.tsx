/** Who can…: everyone who may do something somewhere, each with the binding it comes from; and whether one person may. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { Command } from '../../parts/command.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { isWhole, type Place, placeFrom, placeWord } from './place.ts';
import { ScopeFields, scopeOf } from './scope-fields.tsx';

const FIRST = 'kairship/workload/update';

export function WhoCan() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const permission = search.permission || FIRST;
  const place = placeFrom(search.place);
  const points = useQuery(RoleService.method.listAllPermissions, {});
  const users = useQuery(UsersService.method.listUsers, { pageSize: 500 });
  const known = points.data?.items.map((point) => point.permission) ?? [];
  const about = points.data?.items.find((point) => point.permission === permission);
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  return (
    <Stack gap={14}>
      <Panel
        title={t('access.tab.whoCan')}
        aside={
          <Command
            lines={[
              `kairship role who-can ${permission} --in ${placeWord(place)}`,
              `kairship role can ${permission} --in ${placeWord(place)}${search.open ? ` --user ${search.open}` : ''}`,
            ]}
          />
        }
      >
        <Group gap={8} align="flex-end">
          <Select
            label={t('access.permission')}
            description={about && [about.description, about.tier].filter(Boolean).join(' · ')}
            searchable
            allowDeselect={false}
            data={[...new Set([permission, ...known])]}
            value={permission}
            onChange={(next) => change({ permission: next ?? permission })}
            w={320}
          />
          <ScopeFields place={place} onChange={(next) => change({ place: placeWord(next) })} />
          <Select
            label={t('access.whoAbout')}
            placeholder={t('access.whoNobody')}
            searchable
            clearable
            data={users.data?.items.map(({ name }) => name) ?? []}
            value={search.open || null}
            onChange={(next) => change({ open: next ?? '' })}
            w={180}
          />
        </Group>
      </Panel>
      {search.open !== '' && isWhole(place) && <Decision user={search.open} permission={permission} place={place} />}
      {isWhole(place) && <Everyone permission={permission} place={place} />}
    </Stack>
  );
}

interface Asked {
  readonly permission: string;
  readonly place: Place;
}

function Decision({ user, permission, place }: Asked & { readonly user: string }) {
  const { t } = useTranslation();
  const asked = useQuery(AccessService.method.decide, { user, permission, scope: scopeOf(place) });
  return (
    <Answer of={asked} rows={1}>
      {({ allowed, reason, binding }) => (
        <Banner state={allowed ? 'healthy' : 'blocked'}>
          <b>{t(allowed ? 'access.mayDo' : 'access.mayNotDo', { user, permission })}</b> {reason}{' '}
          {binding && <span className="mono">({binding})</span>}
        </Banner>
      )}
    </Answer>
  );
}

function Everyone({ permission, place }: Asked) {
  const { t } = useTranslation();
  const asked = useQuery(AccessService.method.whoCan, { permission, scope: scopeOf(place) });
  return (
    <Panel title={t('access.theyMay')} flush>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.nobody')} />
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('access.who')}</th>
                  <th scope="col">{t('why.reason')}</th>
                  <th scope="col">{t('access.binding')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ user, reason, binding }) => (
                  <tr key={user}>
                    <td>
                      <b>{user}</b>
                    </td>
                    <td>{reason}</td>
                    <td className="mono soft">{binding}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}
