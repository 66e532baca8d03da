import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Event } from '../api/records.ts';
import type { SessionUnit } from '../api/session.ts';
import { Dialog } from '../components/ui/dialog.tsx';
import { isShortcut } from '../components/ui/key-rules.ts';
import { readKey } from '../components/ui/read-key.ts';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';

const sequenceMs = 1000;

/** Goes to the search field of the page, where there is one. */
function focusSearch(press: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>('[data-list-search]');
  if (!search) return;
  press.preventDefault();
  search.focus();
}

/** The keys that work on every page, and the list of them behind `?`. */
export function Shortcuts({ unit, event }: { unit: SessionUnit | null; event: Event | null }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const pressedG = useRef(0);
  useEffect(() => {
    const targets: Record<string, string | null> = {
      e: unit && paths.events(unit.id),
      o: unit && event && paths.eventPage(unit.id, event.id, 'orders'),
      r: unit && event && paths.eventPage(unit.id, event.id, 'registrations'),
      d: unit && event && paths.eventPage(unit.id, event.id, 'doors'),
    };
    const onKey = (press: KeyboardEvent) => {
      if (!isShortcut(readKey(press))) return;
      if (press.key === '?') setOpen(true);
      if (press.key === '/') focusSearch(press);
      const isSecond = press.timeStamp - pressedG.current < sequenceMs;
      const target = targets[press.key];
      if (isSecond && target) void navigate({ to: target });
      pressedG.current = press.key === 'g' ? press.timeStamp : 0;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [unit, event, navigate]);
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={shellText.shortcuts}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {shellText.shortcutList.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-subtle px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
