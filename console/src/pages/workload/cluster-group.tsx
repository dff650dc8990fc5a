/** What a workload has in one cluster, under a head that tells how the cluster is; each can be closed and has its pages. */
import { ActionIcon, Group, Pagination } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clusterState, useClusters } from '../../api/clusters.ts';
import { clustersOf, type ObjectRef, useBinding } from '../../api/objects.ts';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { Scheduling } from '../clusters/cluster-marks.tsx';

/** How many rows a group shows at a time. */
export const ROWS = 20;
/** How often what no stream tells of is asked for again. */
export const LOOK_AGAIN_MS = 10_000;

/** One after another, for every cluster the workload is placed on. */
export function PerCluster({
  of,
  children,
}: {
  readonly of: ObjectRef;
  readonly children: (name: string) => ReactNode;
}) {
  const { t } = useTranslation();
  const binding = useBinding(of);
  return (
    <Answer of={binding}>
      {(data) => {
        const clusters = clustersOf(data).toSorted((one, other) => one.localeCompare(other));
        if (clusters.length === 0) return <Empty title={t('workload.nowhere')} />;
        return <div style={{ display: 'grid', gap: 14 }}>{clusters.map(children)}</div>;
      }}
    </Answer>
  );
}

interface GroupProps {
  readonly instance: string;
  readonly name: string;
  readonly count: string;
  readonly aside?: ReactNode;
  readonly page: { readonly number: number; readonly pages: number; readonly onChange: (page: number) => void };
  readonly children: ReactNode;
}

export function ClusterGroup({ instance, name, count, aside, page, children }: GroupProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(true);
  const { data } = useClusters(instance);
  const cluster = data?.items.find(({ metadata }) => metadata?.name === name);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section className="panel" aria-label={name} data-group={name}>
      <div className="panel-head">
        <Group gap={10} style={{ fontSize: 13 }}>
          <ActionIcon
            size="sm"
            aria-expanded={open}
            aria-label={t('workload.fold', { cluster: name })}
            onClick={() => setOpen(!open)}
          >
            <Chevron size={15} aria-hidden />
          </ActionIcon>
          <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster: name }} style={{ fontWeight: 600 }}>
            {name}
          </Link>
          {cluster && (
            <>
              <Status state={clusterState(cluster)} />
              <Scheduling of={cluster} />
            </>
          )}
          <span className="soft">{count}</span>
        </Group>
        <Group gap={10}>
          {aside}
          {open && page.pages > 1 && (
            <Pagination
              size="xs"
              total={page.pages}
              value={page.number}
              onChange={page.onChange}
              getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
            />
          )}
        </Group>
      </div>
      {open && (
        // Wide tables scroll, by keyboard too.
        <div style={{ overflow: 'auto' }} tabIndex={0}>
          {children}
        </div>
      )}
    </section>
  );
}

export interface GroupColumn<T> {
  readonly header: string;
  /** Of a hundred; the same in every cluster, so that columns stand under each other. */
  readonly width: number;
  readonly number?: boolean;
  readonly cell: (row: T) => ReactNode;
}

interface TableProps<T> {
  readonly columns: readonly GroupColumn<T>[];
  readonly rows: readonly T[];
  readonly rowId: (row: T) => string;
  readonly empty: string;
}

export function GroupTable<T>({ columns, rows, rowId, empty }: TableProps<T>) {
  if (rows.length === 0) return <Empty title={empty} />;
  return (
    <table className="grid" style={{ tableLayout: 'fixed', minWidth: 760 }}>
      <colgroup>
        {columns.map(({ header, width }) => (
          <col key={header} style={{ width: `${width}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ header, number }) => (
            <th key={header} scope="col" className={number ? 'num' : undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowId(row)}>
            {columns.map(({ header, number, cell }) => (
              <td key={header} className={number ? 'num' : undefined} style={{ overflowWrap: 'anywhere' }}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
