import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { now } from '../format/clock.ts';
import { useScopePath } from './api.queries.ts';
import { useClient } from './client.ts';
import { useEventPath } from './event-data.ts';
import { decideLiveState, isConcerned, type LiveState, pauseAfter } from './live-rules.ts';
import { followEvent } from './live-stream.ts';
import { useEvent } from './unit.ts';

export interface Live {
  state: LiveState;
  /** When the numbers were surely current; null before the first message. */
  updatedAt: string | null;
}

/**
 * Keeps the page's event up to date while the page is open: the check-in counts come with the
 * stream, and what has changed is read again, at most once a second. A role without the permission
 * `changes` learns only that something has changed, and reads the page again every ten seconds at
 * most.
 */
export function useLive(): Live {
  const queries = useQueryClient();
  const client = useClient();
  const scope = useScopePath();
  const { id } = useEvent();
  const path = useEventPath();
  const [live, setLive] = useState<Live>({ state: 'connecting', updatedAt: null });
  useEffect(() => {
    const waiting = new Set<string>();
    const isWaitedFor = (key: readonly unknown[]): boolean =>
      key[0] === scope && (waiting.has('all') || isConcerned(String(key[1]), waiting));
    // A page that opens has just read everything. The stream begins with `all`, which must not
    // compete with these reads.
    let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(
      () => readAgain(),
      pauseAfter(0),
    );
    const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => isWaitedFor(queryKey);
    const readAgain = () => {
      timer = undefined;
      if (waiting.size === 0) return;
      const reads = queries.getQueryCache().findAll({ type: 'active', predicate }).length;
      void queries.invalidateQueries({ predicate });
      waiting.clear();
      timer = setTimeout(readAgain, pauseAfter(reads));
    };
    const stream = followEvent(`${scope}/events/${encodeURIComponent(id)}/live`, {
      onConnection(connection) {
        const state = decideLiveState(connection, now().getTime());
        const { currentAt } = connection;
        const updatedAt = currentAt === null ? null : new Date(currentAt).toISOString();
        setLive((before) =>
          before.state === state && before.updatedAt === updatedAt ? before : { state, updatedAt },
        );
      },
      onSummary: (summary) =>
        queries.setQueryData([scope, `${path}/checkins/summary`, {}], summary),
      onChanges(types) {
        client.setLive(true);
        for (const type of types === 'all' ? ['all'] : types) waiting.add(type);
        timer ??= setTimeout(readAgain, 0);
      },
    });
    return () => {
      clearTimeout(timer);
      // The next page must not show what is known to have changed.
      if (waiting.size > 0) void queries.invalidateQueries({ predicate, refetchType: 'none' });
      stream.close();
      client.setLive(false);
    };
  }, [queries, client, scope, id, path]);
  return live;
}
