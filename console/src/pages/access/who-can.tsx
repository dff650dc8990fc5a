/** Who can…: everyone who may do something somewhere, each with the binding it comes from. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { PLATFORM, ScopeFields, scopeOf } from './scope-fields.tsx';

export function WhoCan() {
  const { t } = useTranslation();
  const [permission, setPermission] = useState('kairship/workload/update');
  const [place, setPlace] = useState(PLATFORM);
  const points = useQuery(RoleService.method.listAllPermissions, {});
  const asked = useQuery(AccessService.method.whoCan, { permission, scope: scopeOf(place) });
  const known = points.data?.items.map((point) => point.permission) ?? [];
  return (
    <Stack gap={14}>
      <Panel title={t('access.tab.whoCan')}>
        <Group gap={8} align="flex-end">
          <Select
            label={t('access.permission')}
            searchable
            allowDeselect={false}
            data={[...new Set([permission, ...known])]}
            value={permission}
            onChange={(next) => setPermission(next ?? permission)}
            w={320}
          />
          <ScopeFields place={place} onChange={setPlace} />
        </Group>
      </Panel>
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
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ user, reason }) => (
                    <tr key={user}>
                      <td>
                        <b>{user}</b>
                      </td>
                      <td>{reason}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Answer>
      </Panel>
    </Stack>
  );
}
