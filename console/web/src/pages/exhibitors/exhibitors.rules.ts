import type { Exhibitor, TicketType } from '../../api/records.ts';

/** A booth with its company, as a row of the list of booths. */
export interface BoothRow {
  id: string;
  number: string;
  type: string;
  room: string;
  exhibitorId: string;
  company: string;
}

/** Those that wait for a decision come first. */
export const exhibitorStatuses = ['pending', 'confirmed', 'declined'] as const;

export const countOf = (
  exhibitors: readonly Pick<Exhibitor, 'status'>[],
  status: Exhibitor['status'],
): number => exhibitors.filter((each) => each.status === status).length;

/** The companies of a status, or of all, by status and name. */
export const sortCompanies = <Company extends Pick<Exhibitor, 'name' | 'status'>>(
  exhibitors: readonly Company[],
  status: string | undefined,
): Company[] =>
  exhibitors
    .filter((each) => status === undefined || each.status === status)
    .toSorted(
      (one, other) =>
        exhibitorStatuses.indexOf(one.status) - exhibitorStatuses.indexOf(other.status) ||
        one.name.localeCompare(other.name, 'en', { sensitivity: 'base' }),
    );

export const boothOrders = ['number', 'type', 'room', 'company'] as const;
export type BoothOrder = (typeof boothOrders)[number];

/** All booths in an order. Numbers in them count as numbers: A2 comes before A10. */
export function sortBooths(
  exhibitors: readonly Exhibitor[],
  roomNames: ReadonlyMap<string, string>,
  order: BoothOrder,
): BoothRow[] {
  const rows = exhibitors.flatMap(({ id: exhibitorId, name: company, booths }) =>
    booths.map(({ id, number, type, venueId }) => {
      return { id, number, type, room: roomNames.get(venueId ?? '') ?? '', exhibitorId, company };
    }),
  );
  const compare = (one: string, other: string) =>
    one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
  return rows.toSorted(
    (one, other) => compare(one[order], other[order]) || compare(one.number, other.number),
  );
}

/** Whether an address can be a link: the server takes http and https only. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address);

type Ticket = Pick<TicketType, 'id' | 'status'>;

/** The ticket types that somebody can be registered with. */
export const ticketsOnSale = <Type extends Ticket>(types: readonly Type[]): Type[] =>
  types.filter(({ status }) => status === 'open');

/** The ticket type of new staff: that of a colleague, or the only one. Null if it must be chosen. */
export function staffTicket(types: readonly Ticket[], ofColleague: string | null): string | null {
  const onSale = ticketsOnSale(types);
  const same = onSale.find(({ id }) => id === ofColleague);
  return (same ?? (onSale.length === 1 ? onSale[0] : undefined))?.id ?? null;
}

/** What was searched for as the beginning of a form: an email or a name. */
export const typedPerson = (typed: string): { email: string; name: string } => {
  const text = typed.trim();
  return text.includes('@') ? { email: text, name: '' } : { email: '', name: text };
};
