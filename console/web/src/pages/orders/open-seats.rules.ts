import { isEmail } from '@event-api/contracts/email';
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
  | { outcome: 'header' }
  | { outcome: 'no_email' }
  | { outcome: 'bad_email'; email: string }
  | { outcome: 'repeated'; email: string; firstLine: number }
  | { outcome: 'no_seat'; email: string }
);

export type Assignment = Extract<PlannedLine, { outcome: 'assign' }>;

/**
 * Plans the assignment of open seats from a pasted list: each line is an email and a name in any
 * order, divided by a comma, a semicolon or a tab, as tables are copied. A first line without an
 * email is the heading of the others. Each good line takes the next seat.
 */
export function planLines(list: string, seats: readonly OpenSeat[]): PlannedLine[] {
  const lineOf = new Map<string, number>();
  let taken = 0;
  const lines = list.split('\n').map((raw) => raw.trim());
  const first = lines.findIndex((text) => text !== '');
  const hasPeople = lines.some((text) => personOf(text).email !== null);
  return lines.flatMap((text, index): PlannedLine[] => {
    if (text === '') return [];
    const at = { line: index + 1, text };
    const { email, name } = personOf(text);
    if (email === null) {
      return [{ ...at, outcome: index === first && hasPeople ? 'header' : 'no_email' }];
    }
    if (!isEmail(email)) return [{ ...at, outcome: 'bad_email', email }];
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
  const fields = fieldsOf(text);
  const email = fields.find((field) => field.includes('@')) ?? null;
  const name = fields.filter((field) => field !== email).join(' ');
  return { email, name: name === '' ? null : name };
}

/** A field in quotes, with doubled quotes inside, or one without; each behind its divider. */
const field = /(?:^|[,;\t]) *(?:"((?:[^"]|"")*)" *(?=[,;\t]|$)|([^,;\t]*))/g;

/** The fields of a line that are not empty. In quotes a divider is a part of the field. */
const fieldsOf = (text: string): string[] =>
  [...text.matchAll(field)]
    .map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
    .filter((value) => value !== '');

/** The lines that can be assigned; null while a line has a problem or there is none. */
export function assignmentsOf(plan: readonly PlannedLine[]): Assignment[] | null {
  const assignments = plan.filter((line) => line.outcome === 'assign');
  const people = plan.filter((line) => line.outcome !== 'header');
  return assignments.length === 0 || assignments.length < people.length ? null : assignments;
}
