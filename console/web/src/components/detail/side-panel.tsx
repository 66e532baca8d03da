import { useMatch, useNavigate } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { common } from '../../text/common.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { KeepsScrollProvider } from '../ui/keeps-scroll.ts';
import { isClosing } from '../ui/key-rules.ts';
import { Link } from '../ui/link.tsx';
import { readKey } from '../ui/read-key.ts';
import { useIsWide } from '../ui/use-media.ts';
import { useSearchState } from '../ui/use-search-state.ts';
import { useDetailFocus } from './use-detail-focus.ts';
import { useListScroll } from './use-list-scroll.ts';

/**
 * A list with the detail of one record: side by side on wide screens, otherwise the detail alone.
 * Both have the same address; `full=1` shows the detail as a full page. Escape goes back to the
 * list. The list stays mounted, so that it keeps its selection, and returns to its scroll position.
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
  const [search] = useSearchState();
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const isOpen = detail !== null;
  const canBeBeside = isWide && !search.full;
  const isListHidden = isOpen && !canBeBeside;
  // A list that was not shown yet need not be read.
  const wasListVisible = useRef(false);
  if (!isListHidden) wasListVisible.current = true;
  const listBox = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEscape(isOpen, listHref);
  useListScroll(isListHidden);
  useDetailFocus(isOpen ? path : null, listBox, panel);
  return (
    <div
      className={classes(
        isOpen &&
          canBeBeside &&
          'grid grid-cols-[minmax(0,1fr)_minmax(420px,36%)] items-start gap-4',
      )}
    >
      <div ref={listBox} className="min-w-0" hidden={isListHidden}>
        <KeepsScrollProvider value={canBeBeside}>
          {wasListVisible.current && list}
        </KeepsScrollProvider>
      </div>
      {isOpen && (
        // One element for both, so that what is typed in a dialog of the detail stays when the
        // window gets another width.
        <aside
          {...(canBeBeside
            ? {
                'aria-label': label,
                className:
                  'sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-md border border-line bg-surface p-4 shadow-sm',
              }
            : { role: 'presentation' })}
        >
          {canBeBeside && <PanelActions listHref={listHref} />}
          <div ref={panel} tabIndex={-1}>
            {detail}
          </div>
        </aside>
      )}
    </div>
  );
}

function useEscape(isOpen: boolean, listHref: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isClosing(readKey(event))) return;
      void navigate({
        to: listHref,
        search: ((previous: object) => previous) as never,
        resetScroll: false,
      });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, navigate, listHref]);
}

function PanelActions({ listHref }: { listHref: string }) {
  const [search, setSearch] = useSearchState();
  const { full: _, ...rest } = search;
  return (
    <div className="-mt-1 -mr-1 mb-1 flex justify-end gap-1">
      <IconButton icon={Maximize2} label={common.expand} onClick={() => setSearch({ full: '1' })} />
      <Link
        href={listHref}
        search={rest}
        resetScroll={false}
        aria-label={common.close}
        className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink touch:size-11"
      >
        <X aria-hidden className="size-4" />
      </Link>
    </div>
  );
}
