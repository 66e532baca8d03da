import { z } from 'zod';
import {
  acceptsTicketTypeId,
  listOf,
  normalCode,
  normalEmail,
  statusFilter,
  text,
  timestamp,
} from '../http/fields.ts';
import { Order, orderStatuses } from '../http/orders.ts';
import { Registration, registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

/** The most rows of a page. A person reads them. */
const maxRows = 50;

/** What a search looks for, by the form of its text. */
export type Search =
  | { by: 'checkinCode'; prefix: string }
  | { by: 'orderNumber'; prefix: string }
  | { by: 'id'; id: string }
  | { by: 'email'; prefix: string }
  | { by: 'name'; text: string };

const idForm = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * Reads the text of a search. Text that begins as a badge code or as an order number is the start
 * of one, and text with an `@` that of an email; an id is exact; every word of any other text is
 * the start of a word of a name.
 */
export function readSearch(query: string): Search {
  const code = normalCode(query);
  if (code.startsWith('CHK-')) return { by: 'checkinCode', prefix: code };
  if (code.startsWith('ORD-')) return { by: 'orderNumber', prefix: code };
  if (idForm.test(query)) return { by: 'id', id: query };
  if (query.includes('@')) return { by: 'email', prefix: normalEmail(query) };
  return { by: 'name', text: query };
}

const query = (description: string) =>
  text({ min: 1, max: 200 }).meta({ description, example: 'ada lov' });

const instantFilter = (description: string) => timestamp().optional().meta({ description });

/** The filters are those of the list. What is found fits all of them. */
const body = <Filters extends z.ZodRawShape>(description: string, filters: Filters) =>
  z.object({
    ...eventScope,
    query: query(description),
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
  'Otherwise every word is the start of a word of the name, without case and accents: `strasse` finds Straße, `obrien` O’Brien.';

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
    description: `Text that starts with \`CHK-\` is the start of a badge code. An id is that of a registration, an attendee or an order. Text with an \`@\` is the start of an email. ${names} It is a command, so that no personal data stands in a URL.`,
  },
  schema: {
    body: acceptsTicketTypeId(
      body('A part of a name, the start of an email or of a badge code, or an id', {
        status: statusFilter(registrationStatuses),
        registrationTypeId: reference('tt', 'Only registrations of this ticket type').optional(),
        registeredFrom: instantFilter('Only registrations of this instant or later'),
        registeredBefore: instantFilter('Only registrations before this instant'),
      }),
    ),
    response: { 200: listOf('registrations', MatchedRegistration) },
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
    description: `Text that starts with \`ORD-\` is the start of the number of an order. Text with an \`@\` is the start of the email of the buyer. ${names} It is a command, so that no personal data stands in a URL.`,
  },
  schema: {
    body: body(
      "A part of the buyer's name, the start of the email or of the number, or the id of an order",
      {
        status: statusFilter(orderStatuses),
        placedFrom: instantFilter('Only orders that were placed at this instant or later'),
        placedBefore: instantFilter('Only orders that were placed before this instant'),
      },
    ),
    response: { 200: listOf('orders', Order) },
  },
});
