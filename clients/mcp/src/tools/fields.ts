import { z } from 'zod';

export const eventId = z.string().describe('The id of the event, evt_…');
export const ticketTypeId = z.string().describe('The id of the ticket type, from event_overview');
export const order = z.string().describe('The number of the order, or ord_…');
export const priceAmount = z.int().min(0).default(0).describe('In the minor unit of the currency');
export const registrationId = z.string().describe('The id of the registration, reg_…');
export const email = z.string().describe('The exact email of the person');
export const limit = z.int().min(1).max(100).default(20).describe('At most so many records');

/** The parameters of a list that is read in pages. */
export const page = {
  limit,
  cursor: z.string().optional().describe('The nextCursor of the previous page'),
};

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** The fields without those that are undefined. */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
