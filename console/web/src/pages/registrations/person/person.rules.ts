import { normalEmail } from '@event-api/contracts/email';
import type { Form, FoundOrder, Registration, TicketType } from '../../../api/records.ts';

/** Whether an email is that of another person, so that the badge gets a new code. */
export const isOtherEmail = (before: string, after: string): boolean =>
  normalEmail(before) !== normalEmail(after);

/** Whether a person has bought the order of their ticket themselves. */
export const isBuyer = (
  { orderId, email }: Pick<Registration, 'orderId' | 'email'>,
  order: Pick<FoundOrder, 'id' | 'email'>,
): boolean => order.id === orderId && !isOtherEmail(email, order.email);

/** What an operator sees and edits of a person. */
export type Details = Pick<Registration, 'email' | 'name' | 'registrationTypeId' | 'responses'>;

/** What an edit rests on: the fields that the operator has seen. */
export const detailsOf = ({ email, name, registrationTypeId, responses }: Details): Details => ({
  email,
  name,
  registrationTypeId,
  responses,
});

/** What a decision about a person rests on: also the status. */
export const decidedOn = (person: Seen) => ({
  status: person.status,
  ...detailsOf(person),
});

type Seen = Details & Pick<Registration, 'status'>;

export interface Difference {
  /** The field, or the id of the question. */
  field: string;
  isAnswer: boolean;
  before: unknown;
  after: unknown;
}

/** What differs between two states of a person, answer by answer. */
export function differencesOf(before: Seen, after: Seen): Difference[] {
  const ofFields = (['status', 'name', 'email', 'registrationTypeId'] as const).map((field) => {
    return { field, isAnswer: false, before: before[field], after: after[field] };
  });
  const [former, present] = [before.responses ?? {}, after.responses ?? {}];
  const questions = [...new Set([...Object.keys(former), ...Object.keys(present)])];
  const ofAnswers = questions.map((id) => {
    return { field: id, isAnswer: true, before: former[id], after: present[id] };
  });
  return [...ofFields, ...ofAnswers].filter(
    (each) => JSON.stringify(each.before) !== JSON.stringify(each.after),
  );
}

/** The answers to send: those of before, with what was changed. An emptied answer is left out. */
export function mergeAnswers(
  before: Record<string, unknown> | null,
  changed: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter(
      ([, answer]) => answer !== null && answer !== undefined && answer !== '',
    ),
  );
}

/** A value for each question, so that the form has all of them. */
export const answersToEdit = (
  { questions }: Form,
  responses: Record<string, unknown> | null,
): Record<string, unknown> =>
  Object.fromEntries(questions.map(({ id }) => [id, responses?.[id] ?? null]));

/**
 * What an order paid for the seat of a person, rounded up; null if the order does not say it, for
 * example for a seat of a bundle.
 */
export function paidForSeat(order: FoundOrder, registrationId: string): number | null {
  const line = order.items.find(({ registrationIds }) => registrationIds.includes(registrationId));
  if (line?.itemType !== 'registration_type') return null;
  return Math.ceil(line.totalAmount / line.quantity);
}

export type TicketBlock = 'present' | 'archived' | 'dearer' | 'full';
export type TicketEffect =
  | 'approved'
  | 'waitlist'
  | 'cheaper'
  | 'badgeStays'
  | 'perks'
  | 'seatFreed';

export interface TicketChoice {
  type: TicketType;
  /** Why the person cannot have it. The server decides; this saves a refusal. */
  block: TicketBlock | null;
  effects: readonly TicketEffect[];
}

/**
 * The ticket types that a person can change to, with what follows. `paid` is what was paid for the
 * seat, null if it is not known.
 */
export function ticketChoices(
  person: Pick<Registration, 'status' | 'registrationTypeId'>,
  types: readonly TicketType[],
  paid: number | null,
): TicketChoice[] {
  const present = types.find(({ id }) => id === person.registrationTypeId);
  return types
    .filter(({ status, id }) => status !== 'archived' || id === present?.id)
    .map((type) => {
      const isFull = type.availability.remaining === 0;
      const effects: (TicketEffect | false)[] = [
        type.requiresApproval && person.status !== 'pending' && 'approved',
        person.status === 'waitlisted' && isFull && 'waitlist',
        paid !== null && type.priceAmount < paid && 'cheaper',
        person.status === 'confirmed' && 'badgeStays',
        'perks',
        person.status === 'confirmed' && present !== undefined && 'seatFreed',
      ];
      return {
        type,
        block: blockOf(person, type, { paid, isFull }),
        effects: effects.filter((effect) => effect !== false),
      };
    });
}

function blockOf(
  { status, registrationTypeId }: Pick<Registration, 'status' | 'registrationTypeId'>,
  type: TicketType,
  { paid, isFull }: { paid: number | null; isFull: boolean },
): TicketBlock | null {
  if (type.id === registrationTypeId) return 'present';
  if (type.status === 'archived') return 'archived';
  if (paid !== null && type.priceAmount > paid) return 'dearer';
  const needsSeat = status === 'confirmed' || (status === 'waitlisted' && !type.allowWaitlist);
  return needsSeat && isFull ? 'full' : null;
}
