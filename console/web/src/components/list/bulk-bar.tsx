import type { ReactNode } from 'react';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';

/** Appears while rows are selected, with their number and what can be done to them. */
export function BulkBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section
      aria-label={common.selected(count)}
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-4 py-2 shadow-lg max-md:bottom-18"
    >
      <span role="status" className="font-medium">
        {common.selected(count)}
      </span>
      {children}
      <Button kind="quiet" onClick={onClear}>
        {common.clear}
      </Button>
    </section>
  );
}
