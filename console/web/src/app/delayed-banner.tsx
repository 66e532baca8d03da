import { useMatches } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useEffect } from 'react';
import { useReload } from '../api/api.queries.ts';
import { useDelayedServices } from '../api/delayed.ts';
import { delayNote, dependsOnMessages } from './delayed.rules.ts';

/** The services have read the messages that waited, unless there are very many. */
const catchUpMs = 5000;

/**
 * Says what delayed messages mean on this page. When they flow again it disappears, and the page is
 * read again: at once, and when the services have caught up.
 */
export function DelayedBanner() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });
  const delayed = useDelayedServices({ isEnabled: dependsOnMessages(path) });
  const note = delayNote(path, delayed);
  const isDelayed = note !== null;
  const reload = useReload();
  useEffect(() => {
    if (!isDelayed) return;
    return () => {
      void reload();
      setTimeout(() => void reload(), catchUpMs);
    };
  }, [isDelayed, reload]);
  if (note === null) return null;
  return (
    <div
      role="status"
      className="mb-4 flex items-center gap-2 rounded-md bg-amber-soft px-3 py-2 text-amber"
    >
      <Hourglass aria-hidden className="size-4 shrink-0" />
      {note}
    </div>
  );
}
