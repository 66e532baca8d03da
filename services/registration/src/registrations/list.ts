import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  type ListDefinition,
  listStatement,
  newestFirst,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { type RegistrationRow, registrationColumns } from './queries.ts';

type Filter = 'email' | 'code' | 'type' | 'typeWithStatus' | 'status';

// The registrations of an email are found through its attendee: `attendee_email_unique`, then
// `registration_of_attendee`.
const list: ListDefinition<RegistrationRow, Filter> = {
  name: 'registrations',
  select: `select ${registrationColumns} from registration.registration r`,
  scope: ['r.business_unit_id = $1', 'r.event_id = $2'],
  filters: {
    email: (email) => `r.attendee_id = (
      select a.id from registration.attendee a where a.event_id = $2 and a.normal_email = ${email})`,
    code: (code) => `r.redemption_code_id = ${code}`,
    // With the collation only `registration_of_type` serves the condition, without it only
    // `registration_waiting`.
    type: (type) => `r.ticket_type_id collate "C" = ${type}`,
    typeWithStatus: (type) => `r.ticket_type_id = ${type}`,
    status: (status) => `r.status = ${status}`,
  },
};

const ofEmail = { filters: ['email'], scoped: false } as const;

const orders = {
  // `registration_of_code`, `registration_waiting`, `registration_of_type`,
  // `registration_by_status`.
  own: newestFirst<Filter>('registration.registration', 'r', [
    ofEmail,
    { filters: ['code'], scoped: false },
    { filters: ['typeWithStatus', 'status'], scoped: false },
    { filters: ['type'], scoped: false },
    { filters: ['status'] },
  ]),
  changes: oldestChangeFirst<Filter>('r', [ofEmail]),
};

export interface RegistrationFilters {
  email?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
  status?: RegistrationStatus | undefined;
}

/** Up to `limit` + 1 registrations of an event that match every filter. */
export function listRegistrations(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: { filters: RegistrationFilters; after: readonly unknown[]; limit: number },
): Promise<RegistrationRow[]> {
  const { type, ...others } = page.filters;
  const name = others.status === undefined ? 'type' : 'typeWithStatus';
  const values = { ...page, filters: { ...others, [name]: type } };
  const scope = [businessUnitId, eventId];
  return db.query(...listStatement(list, orders[order], { scope, ...values }));
}
