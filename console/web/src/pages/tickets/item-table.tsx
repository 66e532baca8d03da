import type { UseQueryResult } from '@tanstack/react-query';
import { GripVertical } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { IconButton } from '../../components/ui/button.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { ticketsText } from '../../text/tickets.ts';
import type { Ordered } from './order.rules.ts';
import { useOrder } from './use-order.ts';

type Item = Ordered & { name: string };

/** Moves a row by one place; null at the end of the list. */
export type Moves = Record<'up' | 'down', (() => void) | null>;

const still: Moves = { up: null, down: null };

/** A short list that is read at once, with a menu per row, whose order can be changed. */
export function ItemTable<Row extends Item>({
  label,
  query,
  rows,
  columns,
  empty,
  menu,
  folder,
}: {
  label: string;
  query: UseQueryResult<unknown>;
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  empty: ReactNode;
  menu: (row: Row, moves: Moves) => ReactNode;
  /** The path of the items, if the operator may move them. */
  folder: string | null;
}) {
  if (query.error && !rows) {
    return (
      <div className="p-4">
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  if (!rows) return <SkeletonRows count={3} />;
  if (rows.length === 0) return empty;
  return folder ? (
    <OrderedRows label={label} items={rows} columns={columns} menu={menu} folder={folder} />
  ) : (
    <Rows
      label={label}
      rows={rows}
      columns={[...columns, menuColumn<Row>((row) => menu(row, still))]}
    />
  );
}

const menuColumn = <Row,>(cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'menu',
  header: '',
  isNumber: true,
  card: 'corner',
  cell,
});

function Rows<Row extends Item>({
  label,
  rows,
  columns,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  const Shown = useIsPhone() ? Cards : Table;
  return (
    <Shown
      label={label}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
    />
  );
}

/** The place of the row of the list under a pointer; -1 outside of all rows. */
function placeAt(list: HTMLElement, target: EventTarget): number {
  const row = target instanceof Element ? target.closest('[data-row]') : null;
  return row ? [...list.querySelectorAll('[data-row]')].indexOf(row) : -1;
}

/**
 * Rows with a handle, which is dragged with a mouse or moved with the arrow keys. On a phone, the
 * menu moves them.
 */
function OrderedRows<Row extends Item>({
  label,
  items,
  columns,
  menu,
  folder,
}: {
  label: string;
  items: readonly Row[];
  columns: readonly Column<Row>[];
  menu: (row: Row, moves: Moves) => ReactNode;
  folder: string;
}) {
  const isPhone = useIsPhone();
  const { rows, movable, move } = useOrder(items, folder);
  const [dragged, setDragged] = useState<string | null>(null);
  const [said, say] = useState('');
  const handle = useRef<HTMLElement | null>(null);
  // A row that moves loses the focus.
  useEffect(() => {
    if (said !== '') handle.current?.focus();
  }, [said]);
  const [first, ...others] = columns;
  /** The move of a row by some places; null where it would leave the list. */
  const moveOf = (row: Row, by: number, focused: HTMLElement | null = null) => {
    const from = movable.indexOf(row.id);
    const place = from + by;
    if (from < 0 || place < 0 || place >= movable.length) return null;
    return () => {
      handle.current = focused;
      move(row.id, place);
      say(ticketsText.movedTo(row.name, place + 1, movable.length));
    };
  };
  const withHandle: Column<Row>[] = first
    ? [
        {
          ...first,
          cell: (row) => (
            <span className="flex items-center gap-1">
              {!isPhone && movable.length > 1 && movable.includes(row.id) && (
                <IconButton
                  icon={GripVertical}
                  label={ticketsText.move(row.name)}
                  className="-ml-2 cursor-grab"
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    // Firefox drags nothing without data.
                    event.dataTransfer.setData('text/plain', row.name);
                    setDragged(row.id);
                  }}
                  onDragEnd={() => setDragged(null)}
                  onKeyDown={(event) => {
                    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                    if (by === undefined) return;
                    event.preventDefault();
                    moveOf(row, by, event.currentTarget)?.();
                  }}
                />
              )}
              <span>{first.cell(row)}</span>
            </span>
          ),
        },
        ...others,
        menuColumn((row) => menu(row, { up: moveOf(row, -1), down: moveOf(row, 1) })),
      ]
    : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handles in it work with the keyboard
    <div
      onDragOver={(event) => {
        if (dragged !== null) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        const place = placeAt(event.currentTarget, event.target);
        if (dragged !== null && place >= 0) move(dragged, place);
        setDragged(null);
      }}
    >
      <Rows label={label} rows={rows} columns={withHandle} />
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
