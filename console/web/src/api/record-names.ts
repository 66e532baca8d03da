import { useQueries } from '@tanstack/react-query';
import { runCommand, unitPath } from './api.queries.ts';
import { type Client, useClient } from './client.ts';
import { useUnit } from './unit.ts';

/** A record and the event that it belongs to. */
export interface RecordRef {
  id: string;
  eventId: string | null;
}

type Raw = Record<string, unknown> & { id: string };

/** The lists of an event that have the names of records, by the prefix of their ids. */
const folders: Record<string, [folder: string, key: string]> = {
  tt: ['ticket-types', 'ticketTypes'],
  addon: ['addons', 'addons'],
  bdl: ['bundles', 'bundles'],
  code: ['redemption-codes', 'redemptionCodes'],
  ven: ['venues', 'venues'],
  ses: ['sessions', 'sessions'],
  spk: ['speakers', 'speakers'],
  exh: ['exhibitors', 'exhibitors'],
};

/** The commands that list records with names, by the prefix of their ids. */
const commands: Record<string, [operationId: string, key: string, isOfEvent: boolean]> = {
  opr: ['member.list', 'members', false],
  key: ['key.list', 'keys', false],
  dev: ['device.list', 'devices', true],
  perk: ['perk.list', 'perks', true],
};

const allRows = { limit: 1000 };

export const kindOf = (id: string): string => id.split('_')[0] ?? '';

const nameOf = (raw: Raw | undefined): string | null => {
  const name = raw?.name ?? raw?.title ?? raw?.code ?? raw?.orderNumber ?? raw?.email ?? raw?.url;
  return typeof name === 'string' ? name : null;
};

/** One read that names some records: its key, and the rows that it returns. */
interface Read {
  key: readonly string[];
  rows: (client: Client, unitId: string) => Promise<readonly Raw[]>;
}

/** The read that names a record, or null for a kind that has no names. */
function readOf({ id, eventId }: RecordRef): Read | null {
  const kind = kindOf(id);
  const list = (path: string, key: string): Read => ({
    key: [path],
    rows: async (client, unitId) => {
      const body = await client.request<Record<string, Raw[]>>({
        path: `${unitPath(unitId)}/${path}`,
        query: allRows,
      });
      return body[key] ?? [];
    },
  });
  const command = commands[kind];
  if (command) {
    const [operationId, key, isOfEvent] = command;
    if (isOfEvent && eventId === null) return null;
    const input = isOfEvent ? { eventId } : {};
    return {
      key: [operationId, ...(isOfEvent && eventId ? [eventId] : [])],
      rows: async (client, unitId) => {
        const body = await runCommand<Record<string, Raw[]>>(client, {
          operationId,
          input,
          unitId,
        });
        return (body[key] ?? []).map((row) => ({ ...row, id: row.id ?? String(row.operatorId) }));
      },
    };
  }
  if (kind === 'evt') return list('v1/events', 'events');
  if (kind === 'whe') return list('v1/webhook-endpoints', 'webhookEndpoints');
  if (eventId === null) return null;
  const ofEvent = `v1/events/${encodeURIComponent(eventId)}`;
  const folder = folders[kind];
  if (folder) return list(`${ofEvent}/${folder[0]}`, folder[1]);
  if (kind === 'reg') {
    const path = `${ofEvent}/registrations/${encodeURIComponent(id)}`;
    return {
      key: [path],
      rows: async (client, unitId) => [
        await client.request<Raw>({ path: `${unitPath(unitId)}/${path}` }),
      ],
    };
  }
  if (kind !== 'ord') return null;
  const input = { eventId, orderIds: [id] };
  return {
    key: ['order.find', eventId, id],
    rows: async (client, unitId) => {
      const operationId = 'order.find';
      return (await runCommand<{ orders: Raw[] }>(client, { operationId, input, unitId })).orders;
    },
  };
}

/** `isPending`: some names may still arrive. */
export interface RecordNames {
  names: ReadonlyMap<string, string>;
  isPending: boolean;
}

/**
 * The names of records, as far as the operator may read them and they exist. Records of one list
 * share its read.
 */
export function useRecordNames(records: readonly RecordRef[]): RecordNames {
  const client = useClient();
  const { id: unitId } = useUnit();
  const reads = new Map(
    records.flatMap((record) => {
      const read = readOf(record);
      return read ? [[read.key.join(' '), read] as const] : [];
    }),
  );
  return useQueries({
    queries: [...reads.values()].map(({ key, rows }) => ({
      queryKey: [unitPath(unitId), 'names', ...key],
      queryFn: () => rows(client, unitId),
      staleTime: 60_000,
      retry: false,
    })),
    combine: (results) => ({
      names: new Map(
        results.flatMap(({ data }) =>
          (data ?? []).flatMap((raw) => {
            const name = nameOf(raw);
            return name === null ? [] : [[raw.id, name] as const];
          }),
        ),
      ),
      isPending: results.some(({ isPending }) => isPending),
    }),
  });
}
