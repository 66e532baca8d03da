import type { FoundOrder } from '../../api/records.ts';

/** A seat that has no attendee yet, with its place in the order, counted from 1. */
export interface OpenSeat {
  id: string;
  place: number;
  itemIndex: number;
  itemName: string;
}

export const openSeatsOf = ({ seats }: Pick<FoundOrder, 'seats'>): OpenSeat[] =>
  seats.flatMap(({ id, status, itemIndex, itemName }, index) =>
    status === 'open' ? [{ id, place: index + 1, itemIndex, itemName }] : [],
  );

/** The items of an order that have open seats, with their number. */
export const openItemsOf = (
  seats: readonly OpenSeat[],
): { itemIndex: number; name: string; count: number }[] =>
  [...Map.groupBy(seats, ({ itemIndex }) => itemIndex)].map(([itemIndex, ofItem]) => ({
    itemIndex,
    name: ofItem[0]?.itemName ?? '',
    count: ofItem.length,
  }));

/** What a line of a pasted list does. `line` counts from 1, with the empty lines. */
export type PlannedLine = { line: number; text: string } & (
  | { outcome: 'assign'; email: string; name: string | null; seat: OpenSeat }
  | { outcome: 'no_email' }
  | { outcome: 'bad_email'; email: string }
  | { outcome: 'repeated'; email: string; firstLine: number }
  | { outcome: 'no_seat'; email: string }
);

export type Assignment = Extract<PlannedLine, { outcome: 'assign' }>;

/** The same as the form of one person accepts. The server decides. */
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Plans the assignment of open seats from a pasted list: each line is an email and a name in any
 * order, divided by a comma, a semicolon or a tab, as tables are copied. Each good line takes the
 * next seat.
 */
export function planLines(list: string, seats: readonly OpenSeat[]): PlannedLine[] {
  const lineOf = new Map<string, number>();
  let taken = 0;
  return list.split('\n').flatMap((raw, index): PlannedLine[] => {
    const text = raw.trim();
    if (text === '') return [];
    const at = { line: index + 1, text };
    const { email, name } = personOf(text);
    if (email === null) return [{ ...at, outcome: 'no_email' }];
    if (!emailPattern.test(email)) return [{ ...at, outcome: 'bad_email', email }];
    const firstLine = lineOf.get(email.toLowerCase());
    if (firstLine !== undefined) return [{ ...at, outcome: 'repeated', email, firstLine }];
    lineOf.set(email.toLowerCase(), at.line);
    const seat = seats[taken];
    if (!seat) return [{ ...at, outcome: 'no_seat', email }];
    taken += 1;
    return [{ ...at, outcome: 'assign', email, name, seat }];
  });
}

function personOf(text: string): { email: string | null; name: string | null } {
  const fields = text
    .split(/[,;\t]/)
    .map((field) => field.trim().replace(/^"(.*)"$/, '$1'))
    .filter((field) => field !== '');
  const email = fields.find((field) => field.includes('@')) ?? null;
  const name = fields.filter((field) => field !== email).join(' ');
  return { email, name: name === '' ? null : name };
}

/** The lines that can be assigned; null while a line has a problem or there is none. */
export function assignmentsOf(plan: readonly PlannedLine[]): Assignment[] | null {
  const assignments = plan.filter((line) => line.outcome === 'assign');
  return assignments.length === 0 || assignments.length < plan.length ? null : assignments;
}
