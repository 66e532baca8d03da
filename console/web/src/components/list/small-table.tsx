import type { ReactNode } from 'react';

/** A table inside of a detail page: the first column is text, the others are numbers. */
export function SmallTable({
  label,
  headers,
  rows,
}: {
  label: string;
  headers: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  const side = (index: number) => (index === 0 ? 'pl-4 text-left' : 'text-right whitespace-nowrap');
  return (
    <table className="w-full" aria-label={label}>
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          {headers.map((header, index) => (
            <th
              key={header}
              scope="col"
              className={`px-2 py-1.5 font-medium last:pr-4 ${side(index)}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line last:border-0">
            {cells.map((cell, index) => (
              <td key={headers[index]} className={`px-2 py-2 last:pr-4 ${side(index)}`}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
