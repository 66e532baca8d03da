import { Dialog as Base } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Event } from '../api/records.ts';
import type { Session, SessionUnit } from '../api/session.ts';
import { UnitProvider } from '../api/unit.ts';
import { classes } from '../components/ui/classes.ts';
import { emptySearch, type SearchStart } from '../components/ui/open-search.ts';
import { shellText } from '../text/shell.ts';
import { lastUnitOf } from './last-unit.ts';
import { type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

interface PaletteProps {
  /** With what it begins; null while it is closed. */
  start: SearchStart | null;
  onStart: (start: SearchStart | null) => void;
  session: Session;
  unit: SessionUnit | null;
  event: Event | null;
}

/** Finds people, orders, codes, exhibitors, events, pages and commands from everywhere. */
export default function Palette({ start, onStart, ...scope }: PaletteProps) {
  // Its content stays until the dialog has closed. A focus that is lost before returns to where it
  // came from, instead of moving to the page that was chosen.
  const [begun, setBegun] = useState(emptySearch);
  if (start && start !== begun) setBegun(start);
  return (
    <Base.Root open={start !== null} onOpenChange={(isOpen) => isOpen || onStart(null)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed inset-x-4 top-[10dvh] z-50 mx-auto flex max-h-[70dvh] max-w-xl flex-col rounded-lg border border-line bg-surface shadow-xl">
          <Base.Title className="sr-only">{shellText.openPalette}</Base.Title>
          <UnitProvider value={scope.unit ?? lastUnitOf(scope.session)}>
            <Finder {...scope} start={begun} onDone={() => onStart(null)} />
          </UnitProvider>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const typingPauseMs = 120;

function Finder({
  start,
  onDone,
  ...page
}: Omit<PaletteProps, 'start' | 'onStart'> & { start: SearchStart; onDone: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState(start.query);
  const [query, setQuery] = useState(start.query);
  const [isEverywhere, setEverywhere] = useState(start.isEverywhere);
  const scope = { ...page, event: isEverywhere ? null : page.event };
  const [index, setIndex] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { entries, note, isSearching } = usePaletteEntries(query, scope);
  const active = Math.min(index, entries.length - 1);
  const open = ({ href, search = {} }: PaletteEntry) => {
    if (href === null) {
      setEverywhere(true);
      setIndex(0);
      input.current?.focus();
      return;
    }
    onDone();
    void navigate({ to: href, search: search as never });
  };
  // Enter waits for the result of what was typed.
  const [isEntered, setEntered] = useState(false);
  const isSettled = !isSearching && query === text.trim();
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    const entry = entries[active];
    if (entry) open(entry);
  });
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex(Math.min(active + 1, entries.length - 1));
    else if (event.key === 'ArrowUp') setIndex(Math.max(0, active - 1));
    else if (event.key === 'Enter') setEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-muted" />
        <input
          ref={input}
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls="palette-entries"
          aria-activedescendant={entries[active] ? `palette-${active}` : undefined}
          aria-label={shellText.openPalette}
          placeholder={shellText.paletteHint}
          className="h-12 flex-1 bg-transparent text-base outline-none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id="palette-entries"
        role="listbox"
        aria-label={shellText.openPalette}
        className="overflow-y-auto p-2"
      >
        {entries.map((entry, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={`${entry.group} ${entry.href}`}
            id={`palette-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === active}
            onClick={() => open(entry)}
            className={classes(
              'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-hover',
              position === active && 'bg-accent-soft',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            <span className="max-w-72 truncate text-xs text-muted" title={entry.hint}>
              {entry.hint ?? shellText.paletteGroups[entry.group]}
            </span>
          </div>
        ))}
      </div>
      {note && (
        <p role="status" className="px-4 pb-4 text-muted">
          {note}
        </p>
      )}
    </>
  );
}
