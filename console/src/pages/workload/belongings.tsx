/** What belongs to a workload: the services that lead to it, what differs in which cluster, and what scales it. */
import { useQuery } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AutoscalingService } from '#gen/proto/kairship/api/autoscaling/v1alpha1/autoscaling_service_pb.ts';
import {
  CoreService,
  ListServicesRequest_Kind as ServiceKind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { Facts, Panel } from '../../parts/page.tsx';

const MOST = 50;

export function Belongings({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const asked = { instance, namespace, pageSize: MOST };
  const placed = { kind: kind.kind, kindName: name, apiVersion: kind.apiVersion };
  const served = ServiceKind[kind.kind as keyof typeof ServiceKind] ?? ServiceKind.KIND_UNSPECIFIED;
  const hasServices = served !== ServiceKind.KIND_UNSPECIFIED;
  const services = useQuery(
    CoreService.method.listServices,
    { ...asked, kind: served, kindName: name },
    { enabled: hasServices },
  );
  const overrides = useQuery(PolicyService.method.listOverridePolicies, { ...asked, ...placed });
  const wide = useQuery(PolicyService.method.listClusterOverridePolicies, { instance, pageSize: MOST, ...placed });
  const scales = kind.kind === 'Deployment' || kind.kind === 'StatefulSet';
  const scalers = useQuery(AutoscalingService.method.listFederatedHPAs, asked, { enabled: scales });
  const scaler = scalers.data?.items.find(
    ({ spec }) => spec?.scaleTargetRef?.kind === kind.kind && spec.scaleTargetRef.name === name,
  );
  return (
    <Panel title={t('workload.belongings')}>
      <Facts
        of={[
          ...(hasServices
            ? [
                [
                  t('resource.kinds.Service'),
                  <Several
                    key="services"
                    of={(services.data?.items ?? []).map(({ metadata }) => (
                      <Link
                        key={metadata?.name}
                        to="/i/$instance/resources/$kind/$namespace/$name/{-$tab}"
                        params={{ instance, kind: 'Service', namespace, name: metadata?.name ?? '' }}
                      >
                        {metadata?.name}
                      </Link>
                    ))}
                  />,
                ] as const,
              ]
            : []),
          [
            t('create.overrides'),
            <Several
              key="overrides"
              of={[
                ...(overrides.data?.items ?? []).map((one) => ({ word: 'OverridePolicy', at: namespace, one })),
                ...(wide.data?.items ?? []).map((one) => ({ word: 'ClusterOverridePolicy', at: '-', one })),
              ].map(({ word, at, one }) => (
                <Link
                  key={`${word}${one.metadata?.name}`}
                  to="/i/$instance/policies/$kind/$namespace/$name"
                  params={{ instance, kind: word, namespace: at, name: one.metadata?.name ?? '' }}
                >
                  {one.metadata?.name}
                </Link>
              ))}
            />,
          ],
          ...(scales
            ? [
                [
                  t('menu.scaling'),
                  scaler ? (
                    <Link
                      key="scaler"
                      to="/i/$instance/scaling/$kind/$namespace/$name"
                      params={{ instance, kind: 'FederatedHPA', namespace, name: scaler.metadata?.name ?? '' }}
                    >
                      {scaler.metadata?.name}
                    </Link>
                  ) : (
                    <NewScaler key="scaler" of={of} />
                  ),
                ] as const,
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

function Several({ of }: { readonly of: readonly ReactNode[] }) {
  if (of.length === 0) return <>–</>;
  return (
    <>
      {of.map((one, index) => (
        <Fragment key={index}>
          {index > 0 && ', '}
          {one}
        </Fragment>
      ))}
    </>
  );
}

/** A link, or the right that is missing for one. */
function NewScaler({ of: { instance, namespace, name } }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const may = useMay('kairship/scaling/create', { instance, namespace });
  if (!may.allowed) return <span title={may.missing && t('action.needs', { right: may.missing })}>–</span>;
  return (
    <Link
      to="/i/$instance/scaling/new"
      params={{ instance }}
      search={{ kind: 'FederatedHPA', ns: namespace, for: name }}
    >
      {t('scaling.create')}
    </Link>
  );
}
