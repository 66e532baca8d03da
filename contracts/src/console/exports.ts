import { z } from 'zod';
import { acceptsTicketTypeId, id } from '../http/fields.ts';
import { printFields } from '../operator/badges.ts';

/** The lists that an operator can save as a file. */
export const exportedLists = [
  'registrations',
  'orders',
  'redemptionCodes',
  'refunds',
  'entries',
] as const;
export type ExportedList = (typeof exportedLists)[number];

/**
 * The body of `POST /api/units/{unitId}/exports`, which records that an operator saves a list as a
 * file.
 */
export const RecordExport = z.object({
  list: z.enum(exportedLists),
  /** The event of the list. Refunds and the audit log have none. */
  eventId: id('evt').optional(),
});

/**
 * The body of `POST /api/units/{unitId}/badges`, which prints badges and records it as an export.
 */
export const PrintedBadges = acceptsTicketTypeId(printFields.omit({ businessUnitId: true }));
