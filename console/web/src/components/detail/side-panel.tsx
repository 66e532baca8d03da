import { useNavigate } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { common } from '../../text/common.ts';
import { IconButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { useIsWide } from '../ui/use-media.ts';
import { useSearchState } from '../ui/use-search-state.ts';

/**
 * A list with the detail of one record: side by side on wide screens, otherwise the detail alone. Both have the same address;
 * `full=1` shows the detail as a full page. Escape goes back to the list.
 */
export function ListWithDetail({
  list,
  detail,
  listHref,
  label,
}: {
  list: ReactNode;
  /** Null while no record is open. */
  detail: ReactNode;
  listHref: string;
  label: string;
}) {
  const isWide = useIsWide();
  const [search, setSearch] = useSearchState();
  const navigate = useNavigate();
  const isOpen = detail !== null;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        document.querySelector('[role="dialog"], [role="menu"]') !== null ||
        (event.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(event.target.tagName));
      if (event.key !== 'Escape' || isElsewhere) return;
      void navigate({ to: listHref, search: ((previous: object) => previous) as never });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, navigate, listHref]);

  if (!isOpen) return list;
  if (!isWide || search.full) return detail;
  const { full: _, ...rest } = search;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(420px,36%)] items-start gap-4">
      <div className="min-w-0">{list}</div>
      <aside
        aria-label={label}
        className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-md border border-line bg-surface p-4 shadow-sm"
      >
        <div className="-mt-1 -mr-1 mb-1 flex justify-end gap-1">
          <IconButton
            icon={Maximize2}
            label={common.expand}
            onClick={() => setSearch({ full: '1' })}
          />
          <Link
            href={listHref}
            search={rest}
            aria-label={common.close}
            className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Link>
        </div>
        {detail}
      </aside>
    </div>
  );
}
