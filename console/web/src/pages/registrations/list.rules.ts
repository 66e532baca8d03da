import type { AnswerFilter, Form, Registration, TicketType } from '../../api/records.ts';
import type { Sorting } from '../../components/list/column.ts';
import { common } from '../../text/common.ts';
import { registrationListText as text } from '../../text/registration-list.ts';

type Question = Form['questions'][number];

/** A filter by an answer, as a value of the address. */
export interface AnswerChoice {
  value: string;
  label: string;
  filter: AnswerFilter;
}

/**
 * The filters by the answers to questions. Texts and numbers, which may be personal, are no choices:
 * they must not be in an address.
 */
export const answerChoices = (questions: readonly Question[]): AnswerChoice[] =>
  questions.flatMap(({ id, label, type, options }) => {
    const answers =
      type === 'boolean'
        ? [true, false].map((value) => ({ value, words: answerText(value) }))
        : (options ?? []).map((value) => ({ value, words: value }));
    return [
      {
        value: `${id}:none`,
        label: text.noAnswer(label),
        filter: { question: id, value: null },
      },
      { value: `${id}:any`, label: text.anyAnswer(label), filter: { question: id } },
      ...answers.map(({ value, words }) => ({
        value: `${id}:is:${value}`,
        label: text.answer(label, words),
        filter: { question: id, value },
      })),
    ];
  });

/** An answer in words. */
export function answerText(answer: unknown): string {
  if (answer === null || answer === undefined || answer === '') return common.noValue;
  if (typeof answer === 'boolean') return answer ? common.yes : common.no;
  return String(answer);
}

/** The orders of the list, as values of the address. Without one, the newest are first. */
export const sortChoices = [
  { value: 'oldest', sort: 'registered', direction: 'ascending' },
  { value: 'name', sort: 'name', direction: 'ascending' },
  { value: 'name-desc', sort: 'name', direction: 'descending' },
  { value: 'status', sort: 'status', direction: 'ascending' },
  { value: 'status-desc', sort: 'status', direction: 'descending' },
] as const;

const newest = { sort: 'registered', direction: 'descending' } as const;

/** The order that a value of the address means. */
export function sortOf(value: string | undefined): {
  sort: string;
  direction: Sorting['direction'];
} {
  const { sort, direction } = sortChoices.find((choice) => choice.value === value) ?? newest;
  return { sort, direction };
}

/** The value of the address after a click on the header of an order: that order, or turned around. */
export function nextSort(value: string | undefined, by: string): string | undefined {
  const present = sortOf(value);
  const first = by === newest.sort ? newest.direction : 'ascending';
  const turned = present.direction === 'ascending' ? 'descending' : 'ascending';
  const direction = present.sort === by ? turned : first;
  return sortChoices.find((choice) => choice.sort === by && choice.direction === direction)?.value;
}

/** Whether a confirmed person has a ticket with a price without having bought it. */
export const isComplimentary = (
  { status, orderId, registrationTypeId }: Registration,
  types: readonly Pick<TicketType, 'id' | 'priceAmount'>[],
): boolean =>
  status === 'confirmed' &&
  orderId === null &&
  types.some(({ id, priceAmount }) => id === registrationTypeId && priceAmount > 0);

/** Whether the text of a search can be the number of an order, with or without its prefix. */
export const mayBeOrderNumber = (query: string): boolean =>
  /^(?:#|ORD[ -]?)?[0-9A-Z]{3,8}$/i.test(query) && (/^(#|ORD)/i.test(query) || /\d/.test(query));
