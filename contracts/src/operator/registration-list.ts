import { z } from 'zod';
import {
  acceptsTicketTypeId,
  limits,
  listOf,
  statusFilter,
  text,
  timestamp,
} from '../http/fields.ts';
import { registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';
import { MatchedRegistration } from './search.ts';

const command = commandsOf({
  tag: 'Registrations',
  owner: 'registration',
  permission: 'people.read',
});

export const registrationSorts = ['registered', 'name', 'status'] as const;
export type RegistrationSort = (typeof registrationSorts)[number];

export const sortDirections = ['ascending', 'descending'] as const;
export type SortDirection = (typeof sortDirections)[number];

const instantFilter = (description: string) => timestamp().optional().meta({ description });

/** Who is listed by the answer to one question of the form. */
const AnswerFilter = z
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

const filters = {
  registrationTypeId: reference('tt', 'Only registrations of this ticket type').optional(),
  registeredFrom: instantFilter('Only registrations of this instant or later'),
  registeredBefore: instantFilter('Only registrations before this instant'),
  answer: AnswerFilter.optional(),
};

export const listSortedRegistrations = operation({
  ...command('registration.list', 'List the registrations of an event in a chosen order', {
    isRead: true,
    description:
      'By `registered`, `name` or `status`, and where that is equal in the order of registration. People without a name are last in ascending order. Pages stay complete and without repetition while people register.',
  }),
  schema: {
    body: acceptsTicketTypeId(
      z.object({
        ...eventScope,
        status: statusFilter(registrationStatuses),
        ...filters,
        sort: z.enum(registrationSorts).default('registered').meta({ example: 'name' }),
        direction: z.enum(sortDirections).default('descending').meta({ example: 'ascending' }),
        ...pageFields,
      }),
    ),
    response: { 200: listOf('registrations', MatchedRegistration) },
  },
});

/** How many registrations there are of each status. */
export const RegistrationCounts = z.object({
  total: z.int().meta({ example: 2034 }),
  statuses: z.object(
    Object.fromEntries(registrationStatuses.map((status) => [status, z.int()])) as Record<
      (typeof registrationStatuses)[number],
      z.ZodInt
    >,
  ),
});

export type RegistrationCounts = z.infer<typeof RegistrationCounts>;

export const countRegistrations = operation({
  ...command('registration.count', 'Count the registrations of an event by status', {
    isRead: true,
    description:
      'With the filters of `registration.list`. Concurrent requests share a count, which begins after the last of them has arrived, at most two seconds after the first.',
  }),
  schema: {
    body: acceptsTicketTypeId(z.object({ ...eventScope, ...filters })),
    response: { 200: RegistrationCounts },
  },
});
