import { z } from 'zod';
import { normalEmail } from '../email.ts';
import {
  acceptsTicketTypeId,
  limits,
  listOf,
  normalCode,
  statusFilter,
  text,
  timestamp,
} from '../http/fields.ts';
import { Order, orderStatuses } from '../http/orders.ts';
import { Registration, registrationStatuses } from '../http/registrations.ts';
import { wordsOf } from '../name-words.ts';
import { operation } from '../operation.ts';
import { hasSimilarWords } from '../similar-words.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

/** The most rows of a page. A person reads them. */
const maxRows = 50;

/** How a search finds a record. */
export const searchKinds = [
  'checkinCode',
  'orderNumber',
  'id',
  'email',
  'emailPart',
  'name',
  'similarName',
] as const;

/** What a search looks for: the start of a code, a number or an email, or other text. */
export interface Search {
  by: (typeof searchKinds)[number];
  text: string;
}

const idForm = /^[a-z]+_[0-9a-z]{26}$/;

// Their letters are those of codes, which have no I, L, O and U. Most names are no codes.
const codeWithoutPrefix = /^(?:#|(?:CHK|ORD)[ -]?)?([0-9A-HJKMNP-TV-Z]{3,16})$/;

/** Fewer characters are part of most emails. */
const shortestPart = 3;

/**
 * Reads the text of a search: what to look for, one after another until something is found. Text
 * that begins as a badge code or as an order number is the start of one, and an id is exact. Text
 * with an `@` is the start or a part of an email. In any other text every word is the start of a
 * word of a name; otherwise the text is the start of a code or a number without its letters, a part
 * of an email, or a name with a wrong letter in a word.
 */
export function readSearch(query: string): Search[] {
  const text = query.trim();
  const code = normalCode(query);
  if (code.startsWith('CHK-')) return [{ by: 'checkinCode', text: code }];
  if (code.startsWith('ORD-')) return [{ by: 'orderNumber', text: code }];
  if (idForm.test(text)) return [{ by: 'id', text }];
  const part: Search = { by: 'emailPart', text: normalEmail(query) };
  if (text.includes('@')) return [{ by: 'email', text: normalEmail(query) }, part];
  const [, plain] = codeWithoutPrefix.exec(code) ?? [];
  return [
    ...(wordsOf(text).length > 0 ? [{ by: 'name', text } as const] : []),
    ...(plain === undefined
      ? []
      : [
          { by: 'orderNumber', text: `ORD-${plain}` } as const,
          { by: 'checkinCode', text: `CHK-${plain}` } as const,
        ]),
    ...([...text].length < shortestPart ? [] : [part]),
    ...(hasSimilarWords(text) ? [{ by: 'similarName', text } as const] : []),
  ];
}

/** A page of a search, with how its rows were found: null if there are none. */
const foundOf = <Key extends string, Item extends z.ZodType>(key: Key, item: Item) =>
  z.object({
    ...listOf(key, item).shape,
    foundBy: z.enum(searchKinds).nullable().meta({
      description:
        'What the text is of these rows; `similarName` is a name with one wrong letter in a word. Null if nothing is found',
      example: 'name',
    }),
  });

/** The text of a search. */
export const searchQuery = (description: string) =>
  text({ min: 1, max: 200 }).meta({ description, example: 'ada lov' });

const instantFilter = (description: string) => timestamp().optional().meta({ description });

/** The filters are those of the list. What is found fits all of them. */
const body = <Filters extends z.ZodRawShape>(description: string, filters: Filters) =>
  z.object({
    ...eventScope,
    query: searchQuery(description),
    ...filters,
    limit: z
      .int()
      .min(1)
      .max(maxRows)
      .default(maxRows)
      .meta({ description: 'Rows per page', example: 20 }),
    cursor: pageFields.cursor,
  });

const names =
  'Otherwise every word is the start of a word of the name, without case and accents. What finds no name is tried as a code or number without its first letters, a part of an email, and a name with one wrong letter.';

/** Who is listed by the answer to one question of the form. */
export const AnswerFilter = z
  .object({
    question: text({ min: 1, max: 40 }).meta({ description: 'The id of the question' }),
    value: z
      .union([z.boolean(), text({ min: 1, max: limits.textLength })])
      .nullable()
      .optional()
      .meta({ description: 'The answer. Null means no answer; if it is omitted, any answer.' }),
  })
  .meta({
    description:
      'Only registrations with this answer to a question. 403 for an operator of doors, who reads no answers.',
    example: { question: 'diet', value: null },
  });

export type AnswerFilter = z.output<typeof AnswerFilter>;

/** A registration as a search returns it. */
export const MatchedRegistration = z.object({
  ...Registration.shape,
  email: Registration.shape.email
    .nullable()
    .meta({ description: 'Null for an operator of doors', example: 'ada@example.com' }),
});

export const searchRegistrations = operation({
  method: 'POST',
  url: '/operator/registration.search',
  config: {
    tag: 'Registrations',
    owner: 'registration',
    audience: 'operator',
    operationId: 'registration.search',
    isRead: true,
    permission: 'people.read',
    summary: 'Search the registrations of an event by name, email, badge code or id, newest first',
    description: `Text that starts with \`CHK-\` is the start of a badge code. An id is that of a registration, an attendee or an order. Text with an \`@\` is the start of an email or a part of one. ${names}`,
  },
  schema: {
    body: acceptsTicketTypeId(
      body('A part of a name or of an email, the start of a badge code, or an id', {
        status: statusFilter(registrationStatuses),
        registrationTypeId: reference('tt', 'Only registrations of this ticket type').optional(),
        registeredFrom: instantFilter('Only registrations of this instant or later'),
        registeredBefore: instantFilter('Only registrations before this instant'),
        answer: AnswerFilter.optional(),
      }),
    ),
    response: { 200: foundOf('registrations', MatchedRegistration) },
  },
});

export const searchOrders = operation({
  method: 'POST',
  url: '/operator/order.search',
  config: {
    tag: 'Orders',
    owner: 'commerce',
    audience: 'operator',
    operationId: 'order.search',
    isRead: true,
    permission: 'orders.list',
    summary: 'Search the orders of an event by name, email or number of the order, newest first',
    description: `Text that starts with \`ORD-\` is the start of the number of an order. Text with an \`@\` is the start of the email of the buyer or a part of it. ${names}`,
  },
  schema: {
    body: body(
      "A part of the buyer's name or email, the start of the number, or the id of an order",
      {
        status: statusFilter(orderStatuses),
        placedFrom: instantFilter('Only orders that were placed at this instant or later'),
        placedBefore: instantFilter('Only orders that were placed before this instant'),
      },
    ),
    response: { 200: foundOf('orders', Order) },
  },
});
