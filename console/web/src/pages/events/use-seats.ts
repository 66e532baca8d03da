import { useQueries } from '@tanstack/react-query';
import { useScopePath } from '../../api/api.queries.ts';
import { useClient } from '../../api/client.ts';
import type { Event, TicketType } from '../../api/records.ts';
import { type SoldSeats, seatsOf } from './events.rules.ts';

const allRows = { limit: 1000 };

/**
 * The seats of each event, by its id. Those that are not read yet, or cannot be read, are missing.
 */
export function useSeats(events: readonly Event[]): ReadonlyMap<string, SoldSeats> {
  const client = useClient();
  const scope = useScopePath();
  return useQueries({
    queries: events.map(({ id }) => {
      const path = `v1/events/${encodeURIComponent(id)}/ticket-types`;
      return {
        // The key of the pages of the event, so that a visit there reads nothing twice.
        queryKey: [scope, path, allRows],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          client.request<{ ticketTypes: TicketType[] }>({
            path: `${scope}/${path}`,
            query: allRows,
            signal,
          }),
      };
    }),
    combine: (results) =>
      new Map(
        events.flatMap(({ id }, index) => {
          const types = results[index]?.data?.ticketTypes;
          return types ? [[id, seatsOf(types)] as const] : [];
        }),
      ),
  });
}
