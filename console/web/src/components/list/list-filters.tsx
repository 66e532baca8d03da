import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useIsPhone } from '../ui/use-media.ts';
import { SheetContext } from './filters.tsx';

/**
 * The search and the filters of a list. On a phone the filters are in a sheet behind a button,
 * which says how many of them are set, so that the rows begin high on the screen. They act at once.
 */
export function ListFilters({
  search,
  values,
  onClear,
  children,
}: {
  search?: ReactNode;
  /** The values of the filters; what is undefined is not set. */
  values: readonly (string | undefined)[];
  onClear: () => void;
  children: ReactNode;
}) {
  const isPhone = useIsPhone();
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {search}
      {isPhone ? (
        <FilterSheet count={values.filter(Boolean).length} onClear={onClear}>
          {children}
        </FilterSheet>
      ) : (
        children
      )}
    </div>
  );
}

function FilterSheet({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {common.filters}
        {count > 0 && (
          <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-white">
            {count}
          </span>
        )}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={common.filters}
        footer={
          <>
            <Button disabled={count === 0} onClick={onClear}>
              {common.clearFilters}
            </Button>
            <Button kind="primary" onClick={() => setOpen(false)}>
              {common.done}
            </Button>
          </>
        }
      >
        <SheetContext value={true}>
          <div className="flex flex-col gap-4">{children}</div>
        </SheetContext>
      </Dialog>
    </>
  );
}
