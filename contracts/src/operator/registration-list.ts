import { z } from 'zod';
import { acceptsTicketTypeId, listOf, statusFilter, timestamp } from '../http/fields.ts';
import { registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';
import { AnswerFilter, MatchedRegistration, searchQuery } from './search.ts';

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
      'With the filters of `registration.list`, or of those whom `registration.search` finds. Concurrent requests share a count, which begins after the last of them has arrived, at most two seconds after the first.',
  }),
  schema: {
    body: acceptsTicketTypeId(
      z.object({
        ...eventScope,
        ...filters,
        query: searchQuery('Only registrations that a search for this text finds').optional(),
      }),
    ),
    response: { 200: RegistrationCounts },
  },
});
