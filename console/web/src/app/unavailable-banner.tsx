import { type Query, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useRefreshWith } from '../api/api.queries.ts';
import { errorText } from '../text/errors.ts';
import { isAway, lastErrorOf, partsAway } from './unavailable-rules.ts';

/**
 * Names the parts of the platform that the page needs and that are down. The rest of the page goes
 * on. What could not be read is read again every 15 seconds, so that the page is complete soon
 * after the parts are back.
 */
export function UnavailableBanner() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const [lastErrors] = useState(() => new WeakMap<Query, Error>());
  const parts = useSyncExternalStore(
    (onChange) => cache.subscribe(() => queueMicrotask(onChange)),
    () => {
      const active = cache.getAll().filter((query) => query.isActive());
      return partsAway(
        active.map((query) => {
          const error = lastErrorOf(query.state, lastErrors.get(query) ?? null);
          if (error) lastErrors.set(query, error);
          else lastErrors.delete(query);
          return error;
        }),
      );
    },
  );
  const readAgain = useCallback(
    () => queries.refetchQueries({ type: 'active', predicate: ({ state }) => isAway(state.error) }),
    [queries],
  );
  useRefreshWith(readAgain, { isEnabled: parts !== '' });
  if (parts === '') return null;
  return (
    <div
      role="status"
      className="mb-4 flex items-center gap-2 rounded-md bg-amber-soft px-3 py-2 text-amber"
    >
      <CloudOff aria-hidden className="size-4 shrink-0" />
      {parts === 'unreachable' ? errorText.unreachable : errorText.unavailable(parts)}
    </div>
  );
}
