import { useCommands } from '../api/commands.ts';
import { useCommandRead, useRead } from '../api/queries.ts';
import type { Event, Order, Registration } from '../api/records.ts';
import type { Session, SessionUnit } from '../api/session.ts';
import { formatMoney } from '../format/money.ts';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';
import { statusText } from '../text/status.ts';
import { eventItems, eventsItem, platformItems, unitItems } from './navigation.ts';

export interface PaletteEntry {
  group: keyof typeof shellText.paletteGroups;
  label: string;
  hint?: string;
  href: string;
  search?: Record<string, string>;
}

const perGroup = 6;

/** What a text finds: people and orders of the event, then events, pages and commands of the unit. */
export function usePaletteEntries(
  query: string,
  scope: { session: Session; unit: SessionUnit | null; event: Event | null },
): { entries: PaletteEntry[]; isSearching: boolean } {
  const { unit, event } = scope;
  const may = (permission: string) => unit?.permissions.includes(permission) ?? false;
  const events = useRead<{ events: Event[] }>(
    'v1/events',
    { limit: 100 },
    { isEnabled: unit !== null },
  );
  // Outside of an event, people and orders of the newest event that is not archived are found.
  const searched = event ?? events.data?.events.find(({ status }) => status !== 'archived') ?? null;
  const input = { eventId: searched?.id, query, limit: perGroup };
  const canSearch = query.length > 1 && searched !== null;
  const people = useCommandRead<{ registrations: Registration[] }>('registration.search', input, {
    isEnabled: canSearch && may('people.read'),
  });
  const orders = useCommandRead<{ orders: Order[] }>('order.search', input, {
    isEnabled: canSearch && may('orders.list'),
  });
  const commands = useCommands();
  const fits = ({ label }: PaletteEntry) => label.toLowerCase().includes(query.toLowerCase());

  const found: PaletteEntry[] =
    canSearch && unit
      ? [
          ...(people.data?.registrations ?? []).map(({ id, name, email, status }) => ({
            group: 'people' as const,
            label: name ?? email ?? id,
            hint: `${email ?? ''} · ${statusText.registration[status]}`,
            href: paths.registration(unit.id, searched.id, id),
          })),
          ...(orders.data?.orders ?? []).map((order) => ({
            group: 'orders' as const,
            label: `${order.orderNumber} ${order.name ?? order.email}`,
            hint: formatMoney(order.totalAmount, order.currency),
            href: paths.order(unit.id, searched.id, order.id),
          })),
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
          .filter(({ permission }) => permission.some(may))
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
  return {
    entries: [...found, ...matching.slice(0, 12)],
    isSearching: canSearch && (people.isFetching || orders.isFetching),
  };
}
