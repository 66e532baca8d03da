import { z } from 'zod';

export const eventId = z.string().describe('The id of the event, evt_…');
export const registrationId = z.string().describe('The id of the registration, reg_…');
export const email = z.string().describe('The exact email of the person');
export const limit = z.int().min(1).max(100).default(20).describe('At most so many records');

/** The parameters of a list that is read in pages. */
export const page = {
  limit,
  cursor: z.string().optional().describe('The nextCursor of the previous page'),
};
