import { type ReactNode, useEffect } from 'react';
import type { RecordList } from '../../api/api.queries.ts';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, SkeletonRows } from '../ui/states.tsx';
import { useIsPhone } from '../ui/use-media.ts';
import { useSearchState } from '../ui/use-search-state.ts';
import type { Column, TableProps } from './column.ts';
import { Cards, Table } from './table.tsx';

/** A part of a list under a heading of its own, with its own columns if they differ. */
export interface RowGroup<Row> {
  title: string;
  rows: readonly Row[];
  columns?: readonly Column<Row>[];
}

/**
 * A list that is read page by page. The number of loaded pages is in the address, so that reload
 * and back show the same rows. `empty` says what the list is and why it has no rows. With `groups`,
 * it shows the rows of each, and no group without rows.
 */
export function RecordTable<Row>({
  list,
  empty,
  groups,
  total,
  ...table
}: Omit<TableProps<Row>, 'rows'> & {
  list: RecordList<Row>;
  empty: ReactNode;
  groups?: readonly RowGroup<Row>[];
  /** How many rows the list has, if this is known. */
  total?: number | undefined;
}) {
  const isPhone = useIsPhone();
  const [search, setSearch] = useSearchState();
  const wantedPages = Number(search.pages ?? 1);
  const { hasMore, isLoadingMore, loadMore, pageCount } = list;
  useEffect(() => {
    if (pageCount > 0 && pageCount < wantedPages && hasMore && !isLoadingMore) loadMore();
  }, [pageCount, wantedPages, hasMore, isLoadingMore, loadMore]);

  if (list.isPending) return <SkeletonRows />;
  if (list.error && list.rows.length === 0) {
    return (
      <div className="p-4">
        <ErrorNote error={list.error} onRetry={list.reload} />
      </div>
    );
  }
  const visible = groups?.filter(({ rows }) => rows.length > 0);
  // A page that filters the loaded rows may show none of them while others are not loaded yet.
  const isEmpty = (visible ?? list.rows).length === 0;
  if (isEmpty && !hasMore) return empty;
  const Rows = isPhone ? Cards : Table;
  return (
    <div aria-busy={list.isRefreshing}>
      {isEmpty ? (
        empty
      ) : visible ? (
        visible.map(({ title, rows, columns = table.columns }) => (
          <section key={title} aria-label={title}>
            <h2 className="px-4 pt-4 pb-2 font-semibold">{title}</h2>
            <Rows {...table} label={title} columns={columns} rows={rows} />
          </section>
        ))
      ) : (
        <Rows {...table} rows={list.rows} />
      )}
      <div className="flex items-center justify-between border-t border-line px-4 py-2 text-muted">
        <span>
          {total === undefined
            ? common.loadedRows(list.rows.length)
            : common.rowsOf(list.rows.length, Math.max(total, list.rows.length))}
        </span>
        {hasMore && (
          <Button
            isBusy={isLoadingMore}
            onClick={() => setSearch({ pages: String(pageCount + 1) })}
          >
            {common.loadMore}
          </Button>
        )}
      </div>
    </div>
  );
}
