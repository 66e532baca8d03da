import { type CreateOrder, orderLimits } from '@event-api/contracts/http/checkout';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { OrderItemType } from '@event-api/contracts/http/orders';
import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';

/** The items of an event that an order refers to. */
export interface Offer {
  types: ReadonlyMap<string, OfferedItem>;
  addons: ReadonlyMap<string, OfferedItem & { status: SaleStatus }>;
  bundles: ReadonlyMap<string, OfferedBundle>;
}

interface OfferedItem {
  name: string;
  priceAmount: number;
  /** Missing without tax. */
  taxRate?: AppliedTaxRate | null;
}

export interface OfferedBundle {
  name: string;
  status: SaleStatus;
  /** Null: the sum of the item prices. */
  priceAmount: number | null;
  /** Of the whole price; null: each item has its own. */
  taxRate?: AppliedTaxRate | null;
  items: readonly { itemType: 'registration_type' | 'addon'; itemId: string; quantity: number }[];
}

export interface Attendee {
  email: string;
  name: string | null;
}

/** A requested seat and its price before any discount. */
export interface Seat {
  /** Of its attendee; empty for an open seat, so that the previous release can read the order. */
  email: string;
  name: string | null;
  ticketTypeId: string;
  inBundle: boolean;
  amount: number;
  /** Whether a change of the order has cancelled it. */
  isCancelled?: boolean;
  /** The ticket type that a change of the order has given it, and what is paid for it since then. */
  changedTo?: PresentSeat;
}

/** What a seat is now. */
export interface PresentSeat {
  ticketTypeId: string;
  amount: number;
}

/** The ticket type of a seat and what is paid for it, after the changes of the order. */
export const presentSeat = ({ ticketTypeId, amount, changedTo }: Seat): PresentSeat =>
  changedTo ?? { ticketTypeId, amount };

export interface Line {
  itemType: OrderItemType;
  itemId: string;
  name: string;
  quantity: number;
  unitAmount: number;
  attendees: Attendee[];
  firstSeat: number;
  seatCount: number;
}

/** An add-on of a line with the emails of its recipients; without any, the buyer receives it. */
export interface OrderedAddon {
  line: number;
  addonId: string;
  emails: string[];
  /** Missing in an order of the previous release. */
  quantity?: number;
  inBundle?: boolean;
}

/** The email of the attendee of a seat; null for an open seat. */
export const attendeeEmailOf = ({ email }: Pick<Seat, 'email'>): string | null => email || null;

/** Units of an add-on that a change has cancelled, and what they cost. */
export interface CancelledUnits {
  line: number;
  /** The named recipient; null for the units of the buyer. */
  registrationId: string | null;
  quantity: number;
  amount: number;
}

export interface OrderDraft {
  lines: Line[];
  seats: Seat[];
  addonIds: string[];
  addons: OrderedAddon[];
}

export type ExpandResult =
  | ({ outcome: 'expanded' } & OrderDraft)
  | { outcome: 'malformed'; issues: FieldIssue[] }
  | { outcome: 'unknown'; issues: FieldIssue[] };

/**
 * Expands the lines of an order into seats, each with an attendee, and add-ons, each with its
 * recipients. The seats of several bundles follow one another, each bundle in the order of its
 * items. With `assignLater` the last seats of a line may be open.
 */
export function expandOrder(
  offer: Offer,
  input: Pick<CreateOrder, 'email' | 'name' | 'items' | 'assignLater'>,
): ExpandResult {
  const unknown = input.items.flatMap(({ itemType, itemId }, n) =>
    isOffered(offer, itemType, itemId) ? [] : [unknownItemIssue(n)],
  );
  if (unknown.length > 0) return { outcome: 'unknown', issues: unknown };
  // Count before creating any seat: nested bundle quantities can reach millions.
  const seatCount = input.items.reduce((sum, item) => sum + countSeats(offer, item), 0);
  if (seatCount > orderLimits.seats) return { outcome: 'malformed', issues: [tooManySeats] };
  const parts = input.items.map((item) => contentsOf(offer, item));
  const issues: FieldIssue[] = [];
  const draft: OrderDraft = { lines: [], seats: [], addonIds: [], addons: [] };
  for (const [n, item] of input.items.entries()) {
    const part = parts[n];
    if (!part) continue;
    const named = item.attendees ?? [];
    const buyer = { email: input.email, name: input.name };
    const isForBuyer = named.length === 0 && seatCount === 1 && part.seats.length === 1;
    const attendees = isForBuyer && !input.assignLater ? [buyer] : named;
    const issue =
      item.itemType === 'addon'
        ? recipientCountIssue(n, attendees.length, item.quantity)
        : attendeeCountIssue(n, attendees.length, part.seats.length, input.assignLater);
    if (issue) issues.push(issue);
    addLine(draft, item, part, attendees);
  }
  return issues.length > 0 ? { outcome: 'malformed', issues } : { outcome: 'expanded', ...draft };
}

type Item = CreateOrder['items'][number];

interface Contents {
  name: string;
  unitAmount: number;
  seats: { ticketTypeId: string; amount: number }[];
  addons: { addonId: string; quantity: number }[];
}

function isOffered(offer: Offer, itemType: OrderItemType, itemId: string): boolean {
  if (itemType === 'registration_type') return offer.types.has(itemId);
  if (itemType === 'addon') return offer.addons.has(itemId);
  const bundle = offer.bundles.get(itemId);
  return bundle?.items.every((item) => isOffered(offer, item.itemType, item.itemId)) ?? false;
}

function countSeats(offer: Offer, { itemType, itemId, quantity }: Item): number {
  if (itemType === 'addon') return 0;
  if (itemType === 'registration_type') return quantity;
  const tickets = offer.bundles.get(itemId)?.items.filter(isTicket) ?? [];
  return quantity * tickets.reduce((sum, item) => sum + item.quantity, 0);
}

const isTicket = ({ itemType }: OfferedBundle['items'][number]): boolean =>
  itemType === 'registration_type';

function contentsOf(offer: Offer, { itemType, itemId, quantity }: Item): Contents {
  if (itemType === 'bundle') return bundleContents(offer, itemId, quantity);
  if (itemType === 'addon') {
    const addon = offer.addons.get(itemId);
    return {
      name: addon?.name ?? '',
      unitAmount: addon?.priceAmount ?? 0,
      seats: [],
      addons: [{ addonId: itemId, quantity }],
    };
  }
  const type = offer.types.get(itemId);
  const seat = { ticketTypeId: itemId, amount: type?.priceAmount ?? 0 };
  return {
    name: type?.name ?? '',
    unitAmount: seat.amount,
    seats: Array.from({ length: quantity }, () => ({ ...seat })),
    addons: [],
  };
}

function bundleContents(offer: Offer, itemId: string, quantity: number): Contents {
  const bundle = offer.bundles.get(itemId);
  const items = (bundle?.items ?? []).map((item) => {
    const sold = (item.itemType === 'addon' ? offer.addons : offer.types).get(item.itemId);
    return { ...item, amount: sold?.priceAmount ?? 0 };
  });
  const sum = items.reduce((total, item) => total + item.amount * item.quantity, 0);
  const unitAmount = bundle?.priceAmount ?? sum;
  const seats = items.filter(isTicket).flatMap((item) =>
    Array<Contents['seats'][number]>(item.quantity).fill({
      ticketTypeId: item.itemId,
      amount: share(item.amount, sum, unitAmount),
    }),
  );
  const addons = items
    .filter((item) => !isTicket(item))
    .map((item) => ({ addonId: item.itemId, quantity: item.quantity * quantity }));
  return {
    name: bundle?.name ?? '',
    unitAmount,
    seats: Array.from({ length: quantity }, () => seats.map((seat) => ({ ...seat }))).flat(),
    addons,
  };
}

/**
 * The share of a seat in the price of its bundle, in proportion to the item prices, rounded down.
 */
const share = (amount: number, sum: number, unitAmount: number): number =>
  sum === 0 ? 0 : Number((BigInt(amount) * BigInt(unitAmount)) / BigInt(sum));

function addLine(
  draft: OrderDraft,
  item: Item,
  part: Contents,
  attendees: readonly Attendee[],
): void {
  const { itemType, itemId, quantity } = item;
  // Only a line of an add-on names its recipients.
  const emails = itemType === 'addon' ? attendees.map(({ email }) => email) : [];
  const inBundle = itemType === 'bundle';
  for (const { addonId, quantity } of part.addons) {
    draft.addons.push({ line: draft.lines.length, addonId, emails, quantity, inBundle });
    if (!draft.addonIds.includes(addonId)) draft.addonIds.push(addonId);
  }
  draft.lines.push({
    itemType,
    itemId,
    name: part.name,
    quantity,
    unitAmount: part.unitAmount,
    attendees: attendees.map(({ email, name }) => ({ email, name })),
    firstSeat: draft.seats.length,
    seatCount: part.seats.length,
  });
  for (const [n, seat] of part.seats.entries()) {
    const { email, name } = attendees[n] ?? { email: '', name: null };
    draft.seats.push({ ...seat, email, name, inBundle });
  }
}

const unknownItemIssue = (line: number): FieldIssue => ({
  field: `${fieldOfItem(line)}.itemId`,
  issue: 'does not name an item of this event',
  code: 'not_found',
});

const tooManySeats: FieldIssue = {
  field: 'items',
  issue: `must come to at most ${orderLimits.seats} seats`,
  code: 'too_big',
};

function attendeeCountIssue(
  line: number,
  named: number,
  seats: number,
  assignLater: boolean,
): FieldIssue | null {
  if (named === seats || (assignLater && named < seats)) return null;
  const field = attendeesOf(line);
  if (seats === 0) {
    return { field, issue: 'must be omitted: the bundle has no tickets', code: 'too_big' };
  }
  const rule = assignLater ? 'must name at most' : 'must name';
  return countIssue(field, `${rule} one attendee per seat`, named, seats);
}

function recipientCountIssue(line: number, named: number, quantity: number): FieldIssue | null {
  if (named === 0 || named === quantity) return null;
  const rule = 'must be omitted or name one attendee per unit';
  return countIssue(attendeesOf(line), rule, named, quantity);
}

function countIssue(field: string, rule: string, named: number, expected: number): FieldIssue {
  const issue = `${rule}: ${expected} expected, ${named} named`;
  return named < expected
    ? { field, issue, code: 'attendees_required' }
    : { field, issue, code: 'too_big' };
}

/** The path of a line in the request body. */
export const fieldOfItem = (line: number): string => `items[${line}]`;

const attendeesOf = (line: number): string => `${fieldOfItem(line)}.attendees`;

/** The path of the recipient of an add-on in the request body: a named person, or the buyer. */
export function fieldOfUnregistered(
  addons: readonly OrderedAddon[],
  { addon, attendee }: { addon?: number | undefined; attendee?: number | undefined },
): string {
  const named = addon === undefined ? undefined : addons[addon];
  if (!named || attendee === undefined) return 'email';
  return `${attendeesOf(named.line)}[${attendee}].email`;
}

/** The recipients for registration; undefined if the buyer receives every add-on. */
export const recipientsOf = (
  addons: readonly OrderedAddon[] | null,
): { addonId: string; emails: string[] }[] | undefined =>
  addons?.some(({ emails }) => emails.length > 0)
    ? addons.map(({ addonId, emails }) => ({ addonId, emails }))
    : undefined;

/** The units of an order for registration. */
export const unitsOf = (
  addons: readonly OrderedAddon[] | null,
): { addonId: string; quantity: number; inBundle: boolean }[] | undefined =>
  addons?.map(({ addonId, quantity = 1, inBundle = false }) => ({ addonId, quantity, inBundle }));

/** How many units of a line of an add-on are cancelled, of one recipient or of all. */
export const cancelledQuantityOf = (
  cancelled: readonly CancelledUnits[],
  line: number,
  registrationId?: string | null,
): number =>
  cancelled
    .filter((units) => units.line === line)
    .filter((units) => registrationId === undefined || units.registrationId === registrationId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** The index of the line that a seat belongs to. */
export const itemOfSeat = (lines: readonly Line[], seat: number): number =>
  lines.findIndex(({ firstSeat, seatCount }) => seat >= firstSeat && seat < firstSeat + seatCount);

/** The path of a seat's attendee in the request body. */
export function fieldOfSeat(lines: readonly Line[], seat: number): string {
  const n = itemOfSeat(lines, seat);
  return `${attendeesOf(n)}[${seat - (lines[n]?.firstSeat ?? 0)}].email`;
}
