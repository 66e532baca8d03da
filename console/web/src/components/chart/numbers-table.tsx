import { common } from '../../text/common.ts';
import type { Series } from './series.ts';

/**
 * The numbers of a chart: a row for each point, a column for each line. It scrolls within its box.
 */
export function NumbersTable({
  rows,
  rowsLabel,
  series,
  format,
}: {
  rows: readonly string[];
  /** What the rows are, if their names do not say it. */
  rowsLabel?: string;
  series: readonly Series[];
  format: (value: number) => string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={common.showTable} className="h-full overflow-auto">
      <table className="w-full text-left">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="py-1 font-medium">
              {rowsLabel}
            </th>
            {series.map(({ id, label }) => (
              <th key={id ?? label} scope="col" className="py-1 pl-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="py-1 font-normal">
                {row}
              </th>
              {series.map(({ id, label, values }) => (
                <td key={id ?? label} className="py-1 pl-4 text-right">
                  {typeof values[index] === 'number' ? format(values[index]) : common.noValue}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
