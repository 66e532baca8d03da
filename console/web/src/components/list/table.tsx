import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { common } from '../../text/common.ts';
import { classes } from '../ui/classes.ts';
import { useKeepsScroll } from '../ui/keeps-scroll.ts';
import { Link } from '../ui/link.tsx';
import type { Column, Selection, Sorting, TableProps } from './column.ts';
import { useRowKeys } from './use-row-keys.ts';

const onlyWhereWide = '@max-[52rem]:hidden';
const breakClass = {
  anywhere: 'wrap-anywhere',
  words: 'wrap-break-word',
  narrow: '@max-[52rem]:wrap-anywhere',
};

/** Rows and columns. `j` and `k` move between the rows, `x` selects one, Enter opens it. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowId, selection, sorting, hasHiddenHeader } = props;
  const body = useRowKeys();
  return (
    <div className="@container overflow-x-auto">
      <table className="w-full text-left" aria-label={label}>
        <thead className={hasHiddenHeader ? 'sr-only' : ''}>
          <tr className="border-b border-line text-xs text-muted">
            {selection && (
              <th className="w-10 py-2 pl-4">
                <SelectAll ids={rows.map(rowId)} selection={selection} />
              </th>
            )}
            {columns.map((column, index) => (
              <th
                key={column.id}
                scope="col"
                {...(sorting && sorting.by === column.sortBy && { 'aria-sort': sorting.direction })}
                className={classes(
                  'px-3 py-2 font-medium whitespace-nowrap',
                  index === 0 && !selection && 'pl-4',
                  column.isNumber && 'text-right',
                  column.isForWide && onlyWhereWide,
                )}
              >
                {sorting && column.sortBy ? (
                  <SortButton by={column.sortBy} label={column.header} sorting={sorting} />
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-rows>
          {rows.map((row) => (
            <TableRow key={rowId(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The header of a column that sorts the list, or turns its order around. */
function SortButton({ by, label, sorting }: { by: string; label: string; sorting: Sorting }) {
  const isSorted = sorting.by === by;
  const Arrow = !isSorted
    ? ChevronsUpDown
    : sorting.direction === 'ascending'
      ? ArrowUp
      : ArrowDown;
  return (
    <button
      type="button"
      className={classes(
        'group inline-flex items-center gap-1 rounded-sm hover:text-ink touch:min-h-11',
        isSorted && 'text-ink',
      )}
      onClick={() => sorting.onSort(by)}
    >
      {label}
      <Arrow aria-hidden className={classes('size-3', !isSorted && 'opacity-50')} />
    </button>
  );
}

function TableRow<Row>({ row, ...props }: TableProps<Row> & { row: Row }) {
  const { columns, rowId, rowName, selection, activeId } = props;
  const id = rowId(row);
  return (
    <tr
      data-row
      className={classes(
        'relative border-b border-line last:border-0 hover:bg-hover focus-within:bg-hover',
        activeId === id && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      {selection && (
        <td className="relative z-1 w-10 py-2 pl-4">
          <SelectRow id={id} name={rowName(row)} selection={selection} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          dir="auto"
          className={classes(
            column.isText ? 'w-full' : 'max-w-80',
            'px-3 py-2 align-middle',
            breakClass[column.breaks ?? 'narrow'],
            index === 0 && 'font-medium',
            index === 0 && !selection && 'pl-4',
            column.isNumber && 'text-right whitespace-nowrap',
            column.isForWide && onlyWhereWide,
          )}
        >
          <Cell row={row} column={column} isFirst={index === 0} {...props} />
        </td>
      ))}
    </tr>
  );
}

/** The link of the first cell covers the whole row. */
function Cell<Row>({
  row,
  column,
  isFirst,
  rowHref,
  search,
}: TableProps<Row> & { row: Row; column: Column<Row>; isFirst: boolean }) {
  const keepsScroll = useKeepsScroll();
  if (!isFirst || !rowHref) return column.cell(row);
  return (
    <Link
      href={rowHref(row)}
      {...(search && { search: typeof search === 'function' ? search(row) : search })}
      resetScroll={!keepsScroll}
      className="rounded-sm before:absolute before:inset-0"
    >
      {column.cell(row)}
    </Link>
  );
}

/**
 * The rows on a phone: the first column as title, the others where their columns say. Names and
 * values line up. What a record does not have is left out with its name.
 */
export function Cards<Row>(props: TableProps<Row>) {
  const { label, rows, rowId } = props;
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((row) => (
        <Card key={rowId(row)} row={row} {...props} />
      ))}
    </ul>
  );
}

/** The buttons of a card reach over its line of text, and lie above the link of the row. */
const corner =
  'flex shrink-0 has-[button]:relative has-[button]:z-1 has-[button]:-my-1.5 touch:has-[button]:-my-3 touch:has-[button]:-mr-3';

function Card<Row>({ row, ...props }: TableProps<Row> & { row: Row }) {
  const { columns, rowId, rowName, selection, activeId } = props;
  const id = rowId(row);
  const [first, ...others] = columns;
  const valuesAt = (place: Column<Row>['card']) =>
    others
      .filter((column) => column.card === place)
      .map(({ id: key, header, cell }) => ({ key, header, value: cell(row) }))
      .filter(({ value }) => Boolean(value) && value !== common.noValue);
  const facts = valuesAt(undefined);
  const last = valuesAt('end');
  return (
    <li
      data-row
      className={classes(
        'relative flex gap-2 px-4 py-3 focus-within:bg-hover',
        activeId === id && 'bg-accent-soft',
      )}
    >
      {selection && (
        <span className="relative z-1 touch:-my-3 touch:-ml-3">
          <SelectRow id={id} name={rowName(row)} selection={selection} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-2">
          <div dir="auto" className="min-w-0 flex-1 font-medium wrap-anywhere">
            {first && <Cell row={row} column={first} isFirst {...props} />}
          </div>
          {valuesAt('corner').map(({ key, value }) => (
            <div key={key} className={corner}>
              {value}
            </div>
          ))}
        </div>
        {valuesAt('line').map(({ key, value }) => (
          <div
            key={key}
            dir="auto"
            className="text-muted wrap-anywhere has-[>[data-no-value]:only-child]:hidden"
          >
            {value}
          </div>
        ))}
        {facts.length > 0 && (
          <dl className="mt-1.5 grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            {facts.map(({ key, header, value }) => (
              <div
                key={key}
                className="contents has-[dd:empty]:hidden has-[dd>[data-no-value]:only-child]:hidden"
              >
                <dt className="text-muted">{header}</dt>
                <dd dir="auto" className="min-w-0 wrap-anywhere">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {last.map(({ key, value }) => (
          <div key={key} className="relative z-1 mt-2 empty:hidden">
            {value}
          </div>
        ))}
      </div>
    </li>
  );
}

function SelectRow({ id, name, selection }: { id: string; name: string; selection: Selection }) {
  const isSelected = selection.selected.has(id);
  return (
    <label className="inline-flex items-center justify-center touch:min-h-11 touch:min-w-11">
      <input
        type="checkbox"
        data-row-select
        aria-label={common.selectRow(name)}
        className="size-4 accent-accent touch:size-6"
        checked={isSelected}
        onChange={() => {
          const next = new Set(selection.selected);
          if (isSelected) next.delete(id);
          else next.add(id);
          selection.onChange(next);
        }}
      />
    </label>
  );
}

function SelectAll({ ids, selection }: { ids: readonly string[]; selection: Selection }) {
  const isAll = ids.length > 0 && ids.every((id) => selection.selected.has(id));
  return (
    <label className="inline-flex items-center justify-center touch:min-h-11 touch:min-w-11">
      <input
        type="checkbox"
        aria-label={common.selectAll}
        className="size-4 accent-accent touch:size-6"
        checked={isAll}
        onChange={() => selection.onChange(isAll ? new Set() : new Set(ids))}
      />
    </label>
  );
}
