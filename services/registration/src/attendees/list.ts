import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  type ListDefinition,
  listStatement,
  newestFirst,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { type AttendeeRow, attendeeSelect } from './attendees.queries.ts';

type Filter = 'email';

const list: ListDefinition<AttendeeRow, Filter> = {
  name: 'attendees',
  select: attendeeSelect,
  scope: ['a.business_unit_id = $1', 'a.event_id = $2'],
  filters: { email: (email) => `a.event_id = $2 and a.normal_email = ${email}` },
};

// `attendee_email_unique`
const ofEmail = { filters: ['email'], scoped: false } as const;

const orders = {
  own: newestFirst<Filter>('registration.attendee', 'a', [ofEmail]),
  changes: oldestChangeFirst<Filter>('a', [ofEmail]),
};

/** Up to `limit` + 1 attendees of an event that match every filter. */
export const listAttendees = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: { filters: Partial<Record<Filter, unknown>>; after: readonly unknown[]; limit: number },
): Promise<AttendeeRow[]> =>
  db.query(...listStatement(list, orders[order], { scope: [businessUnitId, eventId], ...page }));
