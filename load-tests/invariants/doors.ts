import type { Invariant } from './invariant.ts';

const ofAnEvent = [
  ...['ticket_type', 'addon', 'bundle', 'perk'].map((table) => `catalog.${table}`),
  ...['registration', 'attendee', 'redemption_code', 'seat_ledger'].map(
    (table) => `registration.${table}`,
  ),
  ...['customer_order', 'payment', 'refund'].map((table) => `commerce.${table}`),
  ...['checkin', 'venue', 'session', 'speaker', 'exhibitor', 'booth'].map(
    (table) => `onsite.${table}`,
  ),
];

/** Invariants of check-ins and of the isolation between business units. */
export const doorInvariants: Invariant[] = [
  {
    title: 'each badge has at most one check-in per subject',
    promise: 'I5',
    needs: 'onsite.checkin',
    sql: `select registration_id, subject_type, subject_id from onsite.checkin where undone_at is null
      group by 1, 2, 3 having count(*) > 1`,
  },
  {
    title: 'the counts of each door equal its check-ins',
    promise: 'I5',
    needs: ['onsite.checkin', 'onsite.checkin_count'],
    sql: `select subject_type, subject_id from (
        select event_id, subject_type, subject_id, 1 as checked_in, overruled::int as overruled
        from onsite.checkin where undone_at is null
        union all select event_id, subject_type, subject_id, -checked_in, -overruled from onsite.checkin_count
      ) each group by event_id, 1, 2 having sum(checked_in) <> 0 or sum(overruled) <> 0`,
  },
  {
    title: 'every check-in belongs to the event of its registration',
    promise: 'I9',
    needs: 'onsite.checkin',
    sql: `select c.id from onsite.checkin c left join registration.registration r on r.id = c.registration_id
      where (r.event_id, r.business_unit_id) is distinct from (c.event_id, c.business_unit_id)`,
  },
  {
    title: 'every record belongs to the business unit of its event',
    promise: 'I9',
    needs: ['catalog.event', ...ofAnEvent],
    sql: ofAnEvent
      .map(
        (table) => `select '${table}' as "table", t.event_id from ${table} t
          left join catalog.event e on e.id = t.event_id
          where e.business_unit_id is distinct from t.business_unit_id`,
      )
      .join(' union all '),
  },
];
