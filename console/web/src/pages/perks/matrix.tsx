import type { ReactNode } from 'react';
import type { Perk } from '../../api/records.ts';
import { classes } from '../../components/ui/classes.ts';
import { ScrollRegion } from '../../components/ui/scroll-region.tsx';
import { perksText as text } from '../../text/perks.ts';
import type { Cells } from './use-cells.ts';

export interface MatrixRow {
  id: string;
  name: string;
  kind: string;
  /** What stands behind the marks. */
  note?: ReactNode;
  highlight?: 'green' | 'amber' | undefined;
}

const highlights = { green: 'bg-green-soft', amber: 'bg-amber-soft' };

/** Rows and perks with a mark in each cell. Without `cells.set` it can only be read. */
export function Matrix({
  label,
  rowHeader,
  noteHeader,
  perks,
  rows,
  cells,
  isEditable,
  onPoint,
}: {
  label: string;
  rowHeader: string;
  noteHeader?: string;
  perks: readonly Perk[];
  rows: readonly MatrixRow[];
  cells: Cells;
  isEditable: boolean;
  /** The row under the pointer or with the focus. */
  onPoint?: (rowId: string | null) => void;
}) {
  return (
    <ScrollRegion label={label}>
      <table className="w-full text-left" aria-label={label}>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="sticky left-0 bg-surface py-2 pr-3 pl-4 font-medium">
              {rowHeader}
            </th>
            {perks.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                className="max-w-40 min-w-20 px-3 py-2 text-center font-medium wrap-break-word"
              >
                {name}
              </th>
            ))}
            {noteHeader && (
              <th scope="col" className="px-3 py-2 font-medium">
                {noteHeader}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              className={classes(
                'border-b border-line last:border-0',
                row.highlight && highlights[row.highlight],
              )}
              {...(onPoint && {
                onMouseEnter: () => onPoint(row.id),
                onMouseLeave: () => onPoint(null),
                onFocus: () => onPoint(row.id),
                onBlur: () => onPoint(null),
              })}
            >
              <th
                scope="row"
                className={classes(
                  'sticky left-0 max-w-56 min-w-28 py-1 pr-3 pl-4 font-medium wrap-break-word max-md:max-w-36',
                  row.highlight ? highlights[row.highlight] : 'bg-surface',
                )}
              >
                {row.name} <span className="font-normal text-muted">{row.kind}</span>
              </th>
              {perks.map(({ id, name }) => (
                <td key={id} className="p-0 text-center">
                  <label className="flex min-h-9 items-center justify-center hover:bg-hover touch:min-h-11">
                    <input
                      type="checkbox"
                      className="size-4 accent-accent touch:size-6"
                      aria-label={text.cell(row.name, name)}
                      checked={cells.isOn(row.id, id)}
                      disabled={!isEditable}
                      onChange={(event) => cells.set(row.id, id, event.target.checked)}
                    />
                  </label>
                </td>
              ))}
              {noteHeader && <td className="px-3 py-1 text-muted">{row.note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
