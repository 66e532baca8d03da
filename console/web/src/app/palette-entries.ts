import { useCommands } from '../api/api.commands.ts';
import { useRead } from '../api/api.queries.ts';
import { useRecordSearch } from '../api/record-search.ts';
import type { Event, Order, Registration } from '../api/records.ts';
import type { Session, SessionUnit } from '../api/session.ts';
import { useOptionalUnit } from '../api/unit.ts';
import { now } from '../format/clock.ts';
import { formatMoney } from '../format/money.ts';
import { paths } from '../format/paths.ts';
import { searchText } from '../text/search.ts';
import { shellText } from '../text/shell.ts';
import { statusText } from '../text/status.ts';
import { eventItems, eventsItem, platformItems, unitItems } from './navigation.ts';
import { eventPagesFor } from './navigation-rules.ts';
import { eventsToSearch, type FoundIn, inTurns } from './palette-rules.ts';
import { useSearchInEvents } from './palette-search.ts';

export interface PaletteEntry {
  group: keyof typeof shellText.paletteGroups;
  label: string;
  hint?: string;
  /** Null for the search in all events. */
  href: string | null;
  search?: Record<string, string>;
}

const perGroup = 6;
/** Outside of an event, the results of up to ten events share the list. */
const perGroupOfEvents = 12;

/**
 * What a text finds: people, orders, codes and exhibitors of the event, then events, pages and
 * commands of the unit, and at last the search in all events.
 * Outside of an event, people and orders of the unit's events are found. The unit is that of the
 * context, which on a page without one is the unit that was open last.
 */
export function usePaletteEntries(
  query: string,
  scope: { session: Session; unit: SessionUnit | null; event: Event | null },
): { entries: PaletteEntry[]; note: string | null; isSearching: boolean } {
  const { event } = scope;
  const unit = useOptionalUnit();
  const may = (permission: string) => unit?.permissions.includes(permission) ?? false;
  const events = useRead<{ events: Event[] }>(
    'v1/events',
    { limit: 1000 },
    { isEnabled: unit !== null },
  );
  const searched = event ? [event] : eventsToSearch(events.data?.events ?? [], now());
  const canSearch = query.length > 1;
  const input = { unit, events: searched, query, limit: perGroup };
  const people = useSearchInEvents('registrations', {
    ...input,
    isEnabled: canSearch && may('people.read'),
  });
  const orders = useSearchInEvents('orders', {
    ...input,
    isEnabled: canSearch && may('orders.list'),
  });
  const records = useEventRecords(query, { unit, event, isEnabled: canSearch });
  const commands = useCommands();
  const fits = ({ label }: PaletteEntry) => label.toLowerCase().includes(query.toLowerCase());
  const found: PaletteEntry[] =
    canSearch && unit
      ? [
          ...entriesOf(people.data, event, (row, of) => personEntry(unit, row, of)),
          ...entriesOf(orders.data, event, (row, of) => orderEntry(unit, row, of)),
          ...records,
        ]
      : [];
  const rest: PaletteEntry[] = unit
    ? [
        ...(events.data?.events ?? []).map(({ id, name }) => ({
          group: 'events' as const,
          label: name,
          href: paths.event(unit.id, id),
        })),
        ...[eventsItem(unit), ...(event ? eventItems(unit, event.id) : []), ...unitItems(unit)].map(
          ({ label, href }) => ({ group: 'pages' as const, label, href }),
        ),
        ...(commands.data ?? [])
          .filter(({ permission }) => scope.unit !== null && permission.some(may))
          .map(({ operationId, summary }) => ({
            group: 'commands' as const,
            label: `${operationId} · ${summary}`,
            href: paths.command(unit.id, operationId),
            ...(event && { search: { event: event.id } }),
          })),
      ]
    : [];
  const ofOperator = [
    { label: shellText.account, href: paths.account() },
    ...(scope.session.operator.platformAdmin ? platformItems : []),
  ].map(({ label, href }) => ({ group: 'pages' as const, label, href }));
  const matching =
    query === ''
      ? rest.filter(({ group }) => group !== 'commands')
      : [...rest, ...ofOperator].filter(fits);
  const isSearching =
    canSearch &&
    (people.isFetching ||
      orders.isFetching ||
      (event === null && unit !== null && events.isPending));
  const entries = [...found, ...matching.slice(0, 12)];
  const isSimilar = [...(people.data ?? []), ...(orders.data ?? [])].some(
    ({ found: rows, foundBy }) => rows.length > 0 && foundBy === 'similarName',
  );
  const everywhere = canSearch && event ? [inAllEvents] : [];
  return {
    entries: [...entries, ...everywhere],
    note: noteOf({ query, entries, isSearching, isSimilar, event }),
    isSearching,
  };
}

const inAllEvents: PaletteEntry = { group: 'events', label: searchText.everywhere, href: null };

/** What stands below the entries: why there are none, or that they are only similar. */
function noteOf({
  query,
  entries,
  isSearching,
  isSimilar,
  event,
}: {
  query: string;
  entries: readonly PaletteEntry[];
  isSearching: boolean;
  isSimilar: boolean;
  event: Event | null;
}): string | null {
  if (isSearching) return null;
  if (isSimilar) return shellText.paletteSimilar(query);
  if (entries.length > 0) return null;
  return query === '' ? shellText.paletteTyping : shellText.paletteEmpty(query, event?.name);
}

/** The codes and exhibitors of the event that a text finds, as far as the role may open them. */
function useEventRecords(
  query: string,
  scope: { unit: SessionUnit | null; event: Event | null; isEnabled: boolean },
): PaletteEntry[] {
  const { unit, event } = scope;
  const eventId = event?.id ?? null;
  const pages = unit && event ? eventPagesFor(unit, event.id) : [];
  const codes = pages.find(({ name }) => name === 'codes');
  const find = (isEnabled: boolean) => ({ eventId, isEnabled: isEnabled && scope.isEnabled });
  const foundCodes = useRecordSearch(['redemption_code'], query, find(codes !== undefined));
  const exhibitors = useRecordSearch(['exhibitor'], query, find(event !== null));
  if (!unit || !event || !scope.isEnabled) return [];
  return [
    ...foundCodes.slice(0, perGroup).map(({ label }) => ({
      group: 'codes' as const,
      label,
      href: codes?.href ?? null,
      search: { q: label },
    })),
    ...exhibitors.slice(0, perGroup).map(({ id, label }) => ({
      group: 'exhibitors' as const,
      label,
      href: paths.exhibitor(unit.id, event.id, id),
    })),
  ];
}

/** The entries of what is found. Outside of an event, each names its event. */
function entriesOf<T>(
  results: readonly FoundIn<T>[] | undefined,
  event: Event | null,
  entryOf: (row: T, event: Event) => PaletteEntry,
): PaletteEntry[] {
  const lists = (results ?? []).map(({ event: own, found }) =>
    found.map((row) => {
      const entry = entryOf(row, own);
      return event ? entry : { ...entry, hint: `${own.name} · ${entry.hint}` };
    }),
  );
  return inTurns(lists, event ? perGroup : perGroupOfEvents);
}

const personEntry = (
  unit: SessionUnit,
  { id, name, email, status }: Registration,
  event: Event,
): PaletteEntry => ({
  group: 'people',
  label: name ?? email ?? id,
  hint: [email, statusText.registration[status]].filter(Boolean).join(' · '),
  href: paths.registration(unit.id, event.id, id),
});

const orderEntry = (unit: SessionUnit, order: Order, event: Event): PaletteEntry => ({
  group: 'orders',
  label: `${order.orderNumber} ${order.name ?? order.email}`,
  hint: formatMoney(order.totalAmount, order.currency),
  href: paths.order(unit.id, event.id, order.id),
});
