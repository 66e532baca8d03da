import { z } from 'zod';
import { acceptsTicketTypeId, limits } from '../http/fields.ts';
import { badgeMediaTypes, fileContent } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

/** The most badges of a file. */
export const maxBadgesOfFile = 2000;

/** The header of a file with the cursor of the next one, if there is one. */
export const nextCursorHeader = 'next-cursor';

/** The fields of `badges.print`. */
export const printFields = z.object({
  ...eventScope,
  registrationTypeId: reference(
    'tt',
    'Only badges of this ticket type, by default all of the event',
  ).optional(),
  registrationIds: z
    .array(reference('reg', 'A registration'))
    .min(1)
    .max(limits.pageRows)
    .optional()
    .meta({ description: 'Only badges of these registrations' }),
  limit: z
    .int()
    .min(1)
    .max(maxBadgesOfFile)
    .default(maxBadgesOfFile)
    .meta({ description: 'Badges per file', example: 500 }),
  cursor: pageFields.cursor.meta({
    description: `The \`${nextCursorHeader}\` of the previous file`,
  }),
});

export const PrintBadges = acceptsTicketTypeId(printFields);

/**
 * Not in the list of commands: its response is a file, which the command line and the pages of
 * commands do not show. The console calls it, and records it in the audit log.
 */
export const printBadges = operation({
  method: 'POST',
  url: '/operator/badges.print',
  config: {
    tag: 'Registrations',
    owner: 'registration',
    audience: 'operator',
    operationId: 'badges.print',
    isRead: true,
    permission: 'badges',
    summary: 'The badges of the confirmed registrations of an event as a PDF, sorted by name',
    files: [badgeMediaTypes.pdf],
    preconditions: ['NOT_CONFIRMED'],
  },
  schema: { body: PrintBadges, response: { 200: fileContent() } },
});
