import { text } from '../http/fields.ts';

/** An event and the business unit that owns it. */
export interface EventScope {
  businessUnitId: string;
  eventId: string;
}

/** An id that another service sends. */
export const reference = () => text({ min: 1, max: 200 });

/** The fields of an event and of its business unit in a body. */
export const scopeFields = { businessUnitId: reference(), eventId: reference() };
