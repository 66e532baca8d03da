import { useQueries } from '@tanstack/react-query';
import { runCommand, unitPath } from './api.queries.ts';
import { type Client, useClient } from './client.ts';
import { useOptionalUnit } from './unit.ts';

/** A record as a list of choices shows it. */
export interface FoundRecord {
  id: string;
  label: string;
  hint?: string;
}

/** Where records are searched: in a unit, and for most kinds in an event. */
interface Place {
  client: Client;
  unitId: string | null;
  eventId: string | null;
  signal: AbortSignal;
}

type Raw = Record<string, unknown> & { id: string };

interface Source {
  /**
   * Whether the server searches. The other lists are short: they are read once and filtered here.
   */
  isSearched?: true;
  isOfEvent?: true;
  read: (place: Place, query: string) => Promise<FoundRecord[]>;
}

/** A search shows this many records. */
const maximumRecords = 8;
const allRows = { limit: 1000 };

const label = (record: Raw): string =>
  String(record.name ?? record.title ?? record.code ?? record.email ?? record.id);

/** A list of the API below the event. */
const listed = (folder: string, key: string): Source => ({
  isOfEvent: true,
  read: async ({ client, unitId, eventId, signal }) => {
    if (unitId === null || eventId === null) return [];
    const path = `${unitPath(unitId)}/v1/events/${encodeURIComponent(eventId)}/${folder}`;
    const body = await client.request<Record<string, Raw[]>>({ path, query: allRows, signal });
    return (body[key] ?? []).map((record) => ({ id: record.id, label: label(record) }));
  },
});

/** A command that lists the records of the unit, or of the event. */
const commanded = (
  operationId: string,
  key: string,
  options: { isOfEvent?: true; idOf?: (record: Raw) => unknown } = {},
): Source => ({
  ...(options.isOfEvent && { isOfEvent: true }),
  read: async ({ client, unitId, eventId, signal }) => {
    const input = options.isOfEvent ? { eventId } : {};
    const body = await runCommand<Record<string, Raw[]>>(client, {
      operationId,
      input,
      unitId,
      signal,
    });
    return (body[key] ?? []).map((record) => ({
      id: String(options.idOf?.(record) ?? record.id),
      label: label(record),
    }));
  },
});

/** A command that searches by words; without words, the newest records. */
const searched = (operationId: string, key: string, labelOf: (record: Raw) => string): Source => ({
  isSearched: true,
  isOfEvent: true,
  read: async ({ client, unitId, eventId, signal }, query) => {
    if (unitId === null || eventId === null) return [];
    const limit = maximumRecords;
    const body =
      query === ''
        ? await client.request<Record<string, Raw[]>>({
            path: `${unitPath(unitId)}/v1/events/${encodeURIComponent(eventId)}/${key}`,
            query: { limit },
            signal,
          })
        : await runCommand<Record<string, Raw[]>>(client, {
            operationId,
            input: { eventId, query, limit },
            unitId,
            signal,
          });
    return (body[key] ?? []).map((record) => ({
      id: record.id,
      label: labelOf(record),
      ...(typeof record.email === 'string' && { hint: record.email }),
    }));
  },
});

const booths: Source = {
  isOfEvent: true,
  read: async ({ client, unitId, eventId, signal }) => {
    if (unitId === null || eventId === null) return [];
    const path = `${unitPath(unitId)}/v1/events/${encodeURIComponent(eventId)}/exhibitors`;
    const { exhibitors } = await client.request<{
      exhibitors: { name: string; booths: { id: string; number: string }[] }[];
    }>({ path, query: allRows, signal });
    return exhibitors.flatMap(({ name, booths: own }) =>
      own.map(({ id, number }) => ({ id, label: number, hint: name })),
    );
  },
};

const events: Source = {
  read: async ({ client, unitId, signal }) => {
    if (unitId === null) return [];
    const path = `${unitPath(unitId)}/v1/events`;
    const body = await client.request<{ events: Raw[] }>({ path, query: allRows, signal });
    return body.events.map((event) => ({
      id: event.id,
      label: label(event),
      hint: String(event.status),
    }));
  },
};

/** How records of each kind are found. The ids of other kinds are typed. */
const sources: Partial<Record<string, Source>> = {
  event: events,
  unit: commanded('unit.list', 'units'),
  key: commanded('key.list', 'keys'),
  operator: commanded('member.list', 'members', { idOf: ({ operatorId }) => operatorId }),
  invitation: commanded('invitation.list', 'invitations'),
  device: commanded('device.list', 'devices', { isOfEvent: true }),
  perk: commanded('perk.list', 'perks', { isOfEvent: true }),
  ticket_type: listed('ticket-types', 'ticketTypes'),
  addon: listed('addons', 'addons'),
  bundle: listed('bundles', 'bundles'),
  redemption_code: listed('redemption-codes', 'redemptionCodes'),
  venue: listed('venues', 'venues'),
  session: listed('sessions', 'sessions'),
  speaker: listed('speakers', 'speakers'),
  exhibitor: listed('exhibitors', 'exhibitors'),
  booth: booths,
  registration: searched('registration.search', 'registrations', label),
  order: searched(
    'order.search',
    'orders',
    (order) => `${String(order.orderNumber)} ${String(order.name ?? order.email)}`,
  ),
};

/**
 * The records of these kinds that a text finds, in the unit of the page and in the event. A kind
 * whose list the role does not permit, or whose owner is down, finds nothing.
 */
export function useRecordSearch(
  kinds: readonly string[],
  query: string,
  { eventId, isEnabled }: { eventId: string | null; isEnabled: boolean },
): FoundRecord[] {
  const client = useClient();
  const unitId = useOptionalUnit()?.id ?? null;
  const known = kinds.flatMap((kind) => {
    const source = sources[kind];
    return source ? [{ kind, source }] : [];
  });
  return useQueries({
    queries: known.map(({ kind, source }) => ({
      queryKey: [
        unitId === null ? '/api/platform' : unitPath(unitId),
        'choices',
        kind,
        source.isOfEvent ? eventId : null,
        source.isSearched ? query : '',
      ],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        source.read({ client, unitId, eventId, signal }, query),
      enabled: isEnabled && (eventId !== null || !source.isOfEvent),
      staleTime: 10_000,
      retry: false,
    })),
    combine: (results) =>
      results
        .flatMap(({ data }, index) => {
          const found = data ?? [];
          return known[index]?.source.isSearched ? found : found.filter(fits(query));
        })
        .slice(0, maximumRecords),
  });
}

const fits =
  (query: string) =>
  ({ id, label: text }: FoundRecord): boolean =>
    id === query || text.toLowerCase().includes(query.toLowerCase());
