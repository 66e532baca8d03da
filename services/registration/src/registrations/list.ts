import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  keyBefore,
  type ListDefinition,
  latestFirst,
  listStatement,
  newestFirst,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { latestFirstKey, newestFirstKey, type OwnOrder } from '@event-api/platform/http/list-page';
import {
  filterConditions,
  type RegistrationFilters,
  type RegistrationRow,
  registrationColumns,
} from './registrations.queries.ts';

type Filter =
  | 'email'
  | 'code'
  | 'type'
  | 'typeWithStatus'
  | 'status'
  | 'statusByTime'
  | 'from'
  | 'before';

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
    // With the collation only `registration_by_time` serves the condition.
    statusByTime: (status) => `r.status collate "C" = ${status}`,
    ...filterConditions,
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
  // `registration_by_time`
  byTime: latestFirst<Filter>('by_time', 'r.registered_at', 'r.id', [
    { filters: ['statusByTime'] },
  ]),
  changes: oldestChangeFirst<Filter>('r', [ofEmail]),
};

/**
 * A list with a bound of time reads only the registrations of that time, so it has the order of the
 * time. An email or a code has few registrations: these are found first, in the order of creation.
 */
const isByTime = ({ from, before, email, code }: RegistrationFilters): boolean =>
  (from !== undefined || before !== undefined) && email === undefined && code === undefined;

const timeKey = latestFirstKey<RegistrationRow>(({ registeredAt }) => registeredAt);

/** The key of a list with these filters, which is newest first. */
export const registrationsKey = (filters: RegistrationFilters): OwnOrder<RegistrationRow> =>
  isByTime(filters) ? timeKey : newestFirstKey;

/** Up to `limit` + 1 registrations of an event that match every filter. */
export function listRegistrations(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: 'own' | 'changes',
  page: { filters: RegistrationFilters; after: readonly unknown[]; limit: number },
): Promise<RegistrationRow[]> {
  const { type, status, before, ...others } = page.filters;
  const scope = [businessUnitId, eventId];
  if (order === 'own' && isByTime(page.filters)) {
    // In this order they begin at `before`.
    const after = keyBefore(page.after, before);
    const filters = { ...others, type, statusByTime: status };
    return db.query(...listStatement(list, orders.byTime, { ...page, scope, filters, after }));
  }
  const name = status === undefined ? 'type' : 'typeWithStatus';
  const filters = { ...others, status, before, [name]: type };
  return db.query(...listStatement(list, orders[order], { ...page, scope, filters }));
}
