/**
 * The one table of the console: pages by the server, rows drawn as they come into sight, driven by the keyboard.
 *
 * ↑ and ↓ move, Enter opens, Space peeks, M shows what can be done with a row; a click peeks where there is no page to
 * open. Sorting and pages are the caller's, so that they can live in the address; which columns are shown is kept in the
 * browser, for each list by itself.
 */
import { ActionIcon, Drawer, Group, Menu, Pagination, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ColumnChooser, useChosenColumns } from './column-chooser.tsx';
import { listKey, type Offered } from './columns.ts';

const features = tableFeatures({});

export interface Column<T> extends Offered {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** A share of the width; 1 unless said otherwise. */
  readonly grow?: number;
  readonly number?: boolean;
  /** The name by which the server sorts; absent for what it cannot sort by. */
  readonly sort?: string;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

export interface DataTableProps<T> {
  readonly label: string;
  /** Under which name the choice of columns is kept; lists with the same columns share it otherwise. */
  readonly list?: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowId: (row: T) => string;
  readonly onOpen?: (row: T) => void;
  readonly peek?: (row: T) => ReactNode;
  readonly peekTitle?: (row: T) => string;
  /** What can be done with a row: items of a menu, asked for when it is opened. */
  readonly menu?: (row: T) => ReactNode;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (sorting: Sorting) => void;
  readonly page?: { readonly number: number; readonly pages: number; readonly total: number };
  readonly onPage?: (page: number) => void;
  readonly empty: ReactNode;
}

const ROW = 38;
const HEAD = 32;
/** What stands at the end of every row: the menu, and above it the choice of columns. */
const END = { flex: '0 0 44px', padding: '0 8px', textAlign: 'right' } as const;
/** A list of two or three things leaves nothing to choose. */
const FEWEST_TO_CHOOSE = 4;
/** So many rows are shown before the table scrolls by itself. */
const MOST_ROWS = 18;

export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, rows, rowId, onOpen, peek, peekTitle, menu, page, onPage, empty } = props;
  const { t } = useTranslation();
  const [at, setAt] = useState(-1);
  const [peeking, setPeeking] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  // How long ago something was is told anew, also where nothing else changes.
  useAgain(15_000);
  const roomy = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false });
  const list = listKey(props.list, props.columns);
  const { columns, choice, choose } = useChosenColumns(list, props.columns, roomy);
  const defs = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> => ({
          id: column.id,
          header: column.header,
          cell: ({ row }) => column.cell(row.original),
        }),
      ),
    [columns],
  );
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: defs, data, getRowId: rowId });
  const shown = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    scrollPaddingStart: HEAD,
  });
  const widths = columns.map(({ grow = 1 }) => ({ flex: `${grow} 1 0` }));
  const selected = rows[at];
  const choosable = props.columns.length >= FEWEST_TO_CHOOSE;
  const peeks = peek !== undefined && onOpen === undefined;
  const order = `${page?.number} ${props.sorting?.by} ${props.sorting?.descending}`;
  // Another page, or another order, is read from its beginning.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [order]);

  function move(to: number) {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setAt(next);
    virtual.scrollToIndex(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(shown.length - 1),
      Enter: () => selected && onOpen?.(selected),
      ' ': () => selected && peek && setPeeking(true),
      m: () => scroller.current?.querySelector<HTMLElement>('[aria-selected="true"] [data-menu]')?.click(),
    };
    const step = steps[event.key];
    if (!step || event.target !== event.currentTarget) return;
    event.preventDefault();
    step();
  }

  if (rows.length === 0) return <div className="panel">{empty}</div>;
  return (
    <div className="panel" style={{ overflow: 'hidden' }}>
      <div
        ref={scroller}
        className="rows"
        role="grid"
        aria-label={label}
        aria-rowcount={page?.total ?? rows.length}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ maxHeight: HEAD + MOST_ROWS * ROW + 2 }}
      >
        <div className="row head" role="row">
          {columns.map((column, index) => (
            <div
              key={column.id}
              role="columnheader"
              className={`cell${column.number ? ' num' : ''}`}
              style={widths[index]}
              aria-sort={ariaSort(column, props.sorting)}
            >
              <Heading column={column} sorting={props.sorting} onSort={props.onSort} />
            </div>
          ))}
          {(menu || choosable) && (
            <div role="columnheader" className="cell" style={END} aria-label={t('columns.choose')}>
              {choosable && <ColumnChooser of={props.columns} choice={choice} roomy={roomy} onChange={choose} />}
            </div>
          )}
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = shown[index];
            if (!row) return null;
            return (
              <div
                key={key}
                role="row"
                className="row body"
                aria-rowindex={index + 1}
                aria-selected={index === at}
                data-row={row.id}
                style={{ position: 'absolute', top: 0, height: ROW, transform: `translateY(${start}px)` }}
                data-opens={peeks || undefined}
                onClick={(event) => {
                  setAt(index);
                  // A link within the row leads elsewhere.
                  if (peeks && !(event.target as Element).closest('a, button')) setPeeking(true);
                }}
              >
                {row.getAllCells().map((cell, column) => (
                  <div
                    key={cell.id}
                    role="gridcell"
                    className={`cell${columns[column]?.number ? ' num' : ''}`}
                    style={widths[column]}
                    onMouseEnter={tellWhole}
                  >
                    <table.FlexRender cell={cell} />
                  </div>
                ))}
                {(menu || choosable) && (
                  <div role="gridcell" className="cell" style={END}>
                    {menu && <RowMenu name={peekTitle?.(row.original) ?? row.id}>{menu(row.original)}</RowMenu>}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
      <Group justify="space-between" px="sm" py={6}>
        <Text size="xs" c="dimmed">
          {t('table.total', { count: page?.total ?? rows.length })}
          {peek && ` · ${t('table.keys')}`}
          {menu && ` · ${t('columns.menuKey')}`}
        </Text>
        {page && page.pages > 1 && (
          <Pagination
            size="xs"
            total={page.pages}
            value={page.number}
            onChange={(number) => onPage?.(number)}
            getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
          />
        )}
      </Group>
      {peek && (
        <Drawer
          opened={peeking && selected !== undefined}
          onClose={() => setPeeking(false)}
          position="right"
          size="lg"
          title={selected && peekTitle?.(selected)}
          closeButtonProps={{ 'aria-label': t('action.close') }}
        >
          {selected && peek(selected)}
        </Drawer>
      )}
    </div>
  );
}

function RowMenu({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon size="sm" data-menu aria-label={t('columns.actionsOf', { name })}>
          <EllipsisVertical size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

function useAgain(everyMs: number): void {
  const [, again] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

/** What does not fit into its cell is told whole to whoever points at it. */
function tellWhole({ currentTarget: cell }: MouseEvent<HTMLElement>): void {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

function ariaSort<T>(column: Column<T>, sorting: Sorting | undefined): 'ascending' | 'descending' | 'none' | undefined {
  if (!column.sort) return undefined;
  if (sorting?.by !== column.sort) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
}

function Heading<T>({
  column: { header, sort },
  sorting,
  onSort,
}: {
  readonly column: Column<T>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}) {
  if (!sort || !onSort) return <>{header}</>;
  const isIt = sorting?.by === sort;
  const Arrow = sorting?.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className="sort"
      onClick={() => onSort({ by: sort, descending: isIt ? !sorting.descending : false })}
    >
      {header}
      {isIt && <Arrow size={12} aria-hidden />}
    </button>
  );
}
