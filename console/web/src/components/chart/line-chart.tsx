import { lazy, Suspense, useState } from 'react';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { NumbersTable } from './numbers-table.tsx';
import type { Series } from './series.ts';

const Plot = lazy(() => import('./plot.tsx'));

/**
 * A line chart over days, with the same numbers as a table behind a button. The library loads with
 * the first chart.
 */
export function LineChart({
  title,
  days,
  series,
  format,
}: {
  title: string;
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  const [isTable, setTable] = useState(false);
  return (
    <figure aria-label={title} className="m-0">
      <div className="h-44">
        {isTable ? (
          <NumbersTable rows={days} series={series} format={format} />
        ) : (
          <Suspense fallback={<Skeleton className="h-full" />}>
            <Plot days={days} series={series} format={format} />
          </Suspense>
        )}
      </div>
      <figcaption className="mt-1 flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap gap-3 text-xs text-muted">
          {series.map(({ label, isComparison }) => (
            <span key={label} className="inline-flex items-center gap-1.5">
              <span
                aria-hidden
                className={`w-4 border-t-2 ${isComparison ? 'border-dashed border-edge' : 'border-accent'}`}
              />
              {label}
            </span>
          ))}
        </span>
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? common.hideTable : common.showTable}
        </Button>
      </figcaption>
    </figure>
  );
}
