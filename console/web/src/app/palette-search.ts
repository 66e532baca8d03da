import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { runCommand, unitPath } from '../api/api.queries.ts';
import { useClient } from '../api/client.ts';
import type { Event, Order, Registration } from '../api/records.ts';
import type { SessionUnit } from '../api/session.ts';
import { type FoundIn, withoutSimilar } from './palette-rules.ts';

const commands = { registrations: 'registration.search', orders: 'order.search' } as const;
type Found = { registrations: Registration; orders: Order };

/** Searches registrations or orders in several events of a unit at once. */
export function useSearchInEvents<Kind extends keyof Found>(
  kind: Kind,
  {
    unit,
    events,
    query,
    limit,
    isEnabled,
  }: {
    unit: SessionUnit | null;
    events: readonly Event[];
    query: string;
    limit: number;
    isEnabled: boolean;
  },
) {
  const client = useClient();
  const operationId = commands[kind];
  const unitId = unit?.id ?? '';
  return useQuery({
    queryKey: [unitPath(unitId), operationId, 'in', events.map(({ id }) => id), query],
    queryFn: async ({ signal }): Promise<readonly FoundIn<Found[Kind]>[]> => {
      const results = await Promise.all(
        events.map(async (event) => {
          const input = { eventId: event.id, query, limit };
          const body = await runCommand<
            Record<Kind, Found[Kind][]> & Pick<FoundIn<unknown>, 'foundBy'>
          >(client, {
            operationId,
            input,
            unitId,
            signal,
          });
          return { event, found: body[kind], foundBy: body.foundBy };
        }),
      );
      return withoutSimilar(results);
    },
    enabled: isEnabled && unit !== null && events.length > 0,
    placeholderData: keepPreviousData,
  });
}
