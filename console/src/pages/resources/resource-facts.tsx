/** What is worth knowing of a resource of each kind, before anybody reads its YAML. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Eye, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SECRET } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/problems.tsx';
import { When } from '../../parts/when.tsx';
import { valueAt } from '../policy/policy-text.ts';
import { PolicyLink } from '../workload/summary-tab.tsx';
import { rightTo } from './changes.ts';
import { decoded } from './resource-text.ts';

interface Props {
  readonly of: ObjectRef;
  readonly object: Thing;
}

export function ResourceFacts({ of, object }: Props) {
  const { t } = useTranslation();
  const { metadata } = object;
  const own = useOwnFacts(of, object);
  return (
    <Panel title={t('workload.about')}>
      <Facts
        of={[
          ...own,
          [t('workload.placedBy'), <PolicyLink key="policy" object={object} instance={of.instance} />],
          [t('field.created'), <When key="created" full at={Date.parse(metadata.creationTimestamp ?? '')} />],
          [t('field.labels'), <Lines key="labels" of={pairs(metadata.labels)} />],
          [t('resource.annotations'), <Lines key="annotations" of={pairs(metadata.annotations)} />],
        ]}
      />
    </Panel>
  );
}

type Fact = readonly [name: string, value: ReactNode];

/** Those that only some kinds have. */
function useOwnFacts({ instance, kind }: ObjectRef, object: Thing): readonly Fact[] {
  const { t } = useTranslation();
  const at = (...path: string[]) => valueAt(object, path);
  switch (kind.kind) {
    case 'Service':
      return [
        [t('resource.column.type'), text(at('spec', 'type')) || 'ClusterIP'],
        [t('resource.column.ports'), <Lines key="ports" of={portsOf(at('spec', 'ports'))} />],
        [t('resource.column.selector'), <Lines key="selector" of={pairs(at('spec', 'selector'))} />],
      ];
    case 'Ingress':
      return [
        [t('resource.column.class'), text(at('spec', 'ingressClassName')) || '–'],
        [t('resource.column.hosts'), <Lines key="rules" of={rulesOf(at('spec', 'rules'))} />],
      ];
    case 'PersistentVolumeClaim':
      return [
        [t('resource.column.size'), text(at('spec', 'resources', 'requests', 'storage'))],
        [t('resource.column.class'), text(at('spec', 'storageClassName')) || '–'],
        [t('resource.column.phase'), text(at('status', 'phase')) || '–'],
      ];
    case 'StorageClass':
      return [[t('resource.provisioner'), text(at('provisioner'))]];
    case 'CustomResourceDefinition': {
      const [plural, group] = [text(at('spec', 'names', 'plural')), text(at('spec', 'group'))];
      const versions = (at('spec', 'versions') ?? []) as readonly { readonly name: string }[];
      return [
        [t('field.kind'), text(at('spec', 'names', 'kind'))],
        [t('resource.column.scope'), text(at('spec', 'scope'))],
        [t('resource.column.versions'), versions.map(({ name }) => name).join(', ')],
        [
          t('resource.objects'),
          <Link
            key="objects"
            to="/i/$instance/resources"
            params={{ instance }}
            search={{ kind: [plural, versions[0]?.name, group].filter(Boolean).join('.') }}
          >
            {t('resource.showObjects', { kind: text(at('spec', 'names', 'kind')) })}
          </Link>,
        ],
      ];
    }
    default:
      return [];
  }
}

/** The entries of a config map or a secret. */
export function ResourceData({
  of,
  object,
  shown,
  onShow,
}: Props & { readonly shown: boolean; readonly onShow: (shown: boolean) => void }) {
  const { t } = useTranslation();
  const { instance, kind, namespace } = of;
  const isSecret = kind.kind === SECRET.kind;
  const may = useMay(rightTo('get', kind), { instance, namespace });
  const data = (valueAt(object, ['data']) ?? {}) as Readonly<Record<string, string>>;
  const entries = Object.entries(data);
  const visible = !isSecret || shown;
  return (
    <Panel
      title={t('resource.data')}
      aside={
        isSecret &&
        (shown ? (
          <Button variant="default" leftSection={<EyeOff size={14} aria-hidden />} onClick={() => onShow(false)}>
            {t('resource.hide')}
          </Button>
        ) : (
          <GuardedButton
            may={may}
            variant="default"
            leftSection={<Eye size={14} aria-hidden />}
            onClick={() => onShow(true)}
          >
            {t('resource.show')}
          </GuardedButton>
        ))
      }
    >
      {entries.length === 0 ? (
        <Empty title={t('resource.noData')} />
      ) : (
        <Stack gap={10}>
          {entries.map(([key, value]) => (
            <div key={key} data-entry={key}>
              <Group gap={6} mb={3}>
                <Text size="sm" fw={550} className="mono">
                  {key}
                </Text>
              </Group>
              <pre className="code" style={{ maxHeight: 260 }} tabIndex={0}>
                {visible ? (isSecret ? decoded(value) : value) : '••••••••'}
              </pre>
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.length === 0 && '–'}
      {of.map((line) => (
        <div key={line} className="mono">
          {line}
        </div>
      ))}
    </>
  );
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Written by the index into its copies. */
const HIDDEN = /clusterpedia|index\.kpanda\.io/;

function pairs(of: unknown): readonly string[] {
  return Object.entries((of ?? {}) as Readonly<Record<string, string>>)
    .filter(([key]) => !key.includes('karmada.io/') && !key.startsWith('kubectl.') && !HIDDEN.test(key))
    .map(([key, value]) => `${key}=${value}`);
}

interface Port {
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

function portsOf(ports: unknown): readonly string[] {
  return ((ports ?? []) as readonly Port[]).map(
    ({ port, protocol = 'TCP', targetPort = port }) => `${port}/${protocol} → ${targetPort}`,
  );
}

interface Rule {
  readonly host?: string;
  readonly http?: { readonly paths?: readonly { readonly path?: string; readonly backend?: unknown }[] };
}

function rulesOf(rules: unknown): readonly string[] {
  return ((rules ?? []) as readonly Rule[]).flatMap(({ host = '*', http }) =>
    (http?.paths ?? []).map(
      ({ path = '/', backend }) => `${host}${path} → ${text(valueAt(backend, ['service', 'name']))}`,
    ),
  );
}
