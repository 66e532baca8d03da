import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../components/list/column.ts';
import { Cards, Table } from '../../components/list/table.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { useIsPhone } from '../../components/ui/use-media.ts';

/** A short list that is read at once, with a menu per row. */
export function ItemTable<Row extends { id: string; name: string }>({
  label,
  query,
  rows,
  columns,
  empty,
  menu,
}: {
  label: string;
  query: UseQueryResult<unknown>;
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  empty: ReactNode;
  menu: (row: Row) => ReactNode;
}) {
  const Rows = useIsPhone() ? Cards : Table;
  if (query.error && !rows) {
    return (
      <div className="p-4">
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  if (!rows) return <SkeletonRows count={3} />;
  if (rows.length === 0) return empty;
  const withMenu: Column<Row>[] = [
    ...columns,
    { id: 'menu', header: '', isNumber: true, cell: (row) => menu(row) },
  ];
  return (
    <Rows
      label={label}
      columns={withMenu}
      rows={rows}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
    />
  );
}
