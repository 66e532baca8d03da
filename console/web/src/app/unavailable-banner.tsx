import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/error.ts';
import { partOf } from '../api/parts.ts';
import { errorText } from '../text/errors.ts';

/** Names the parts of the platform that the page needs and that are away. The rest of the page goes on. */
export function UnavailableBanner() {
  const cache = useQueryClient().getQueryCache();
  const parts = useSyncExternalStore(
    (onChange) => cache.subscribe(() => queueMicrotask(onChange)),
    () =>
      partsAway(
        cache
          .getAll()
          .filter((query) => query.isActive())
          .map((q) => q.state.error),
      ),
  );
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

function partsAway(errors: readonly (Error | null)[]): string {
  const away = errors.filter((error) => error instanceof ApiError && error.isUnavailable);
  if (away.some((error) => error instanceof ApiError && error.code === 0)) return 'unreachable';
  const names = away.map((error) => errorText.parts[partOf((error as ApiError).operation)]);
  return [...new Set(names)].join(', ');
}
