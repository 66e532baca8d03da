import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** What has to hold after any load, each as a query for the rows that break it; `needs` is the table without which there
 *  is nothing to ask. */
export interface Invariant {
  title: string;
  needs: string;
  sql: string;
}

export const invariants: Invariant[] = [
  {
    title: 'no ticket type has given more seats than it has',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id from registration.seat_ledger l
      join registration.ticket_type_copy t on t.id = l.ticket_type_id
      where t.capacity is not null and l.confirmed + l.held > t.capacity`,
  },
  {
    title: 'the counters are the rows',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id, l.confirmed, r.confirmed as rows from registration.seat_ledger l
      left join (select ticket_type_id, count(*) filter (where status = 'confirmed') as confirmed,
          count(*) filter (where status = 'waitlisted') as waitlisted
        from registration.registration group by 1) r on r.ticket_type_id = l.ticket_type_id
      where (l.confirmed, l.waitlisted) is distinct from (coalesce(r.confirmed, 0), coalesce(r.waitlisted, 0))`,
  },
  {
    title: 'held seats are those of live claims',
    needs: 'registration.seat_claim',
    sql: `select l.ticket_type_id, l.held from registration.seat_ledger l
      where l.held <> (select coalesce(sum(s.quantity), 0) from registration.seat_claim c
        join registration.seat_claim_seats s on s.claim_id = c.id
        where c.state = 'held' and s.ticket_type_id = l.ticket_type_id)`,
  },
  {
    title: 'no number is negative',
    needs: 'registration.seat_ledger',
    sql: `select ticket_type_id from registration.seat_ledger where least(confirmed, waitlisted, held) < 0
      union all select id from registration.redemption_code where uses < 0`,
  },
  {
    title: 'no email is active twice in an event',
    needs: 'registration.registration',
    sql: `select event_id, normal_email from registration.registration
      where status in ('pending', 'confirmed', 'waitlisted') group by 1, 2 having count(*) > 1`,
  },
  {
    title: "every registration is of its event's unit",
    needs: 'registration.registration',
    sql: `select r.id from registration.registration r
      left join registration.event_copy e on e.id = r.event_id
      where e.business_unit_id is distinct from r.business_unit_id`,
  },
  {
    title: 'a fulfilled claim has made each of its registrations',
    needs: 'registration.seat_claim',
    sql: `select c.id from registration.seat_claim c, jsonb_array_elements(c.fulfilment->'seats') s
      where c.state = 'fulfilled'
        and not exists (select from registration.registration r where r.id = s->>'registrationId')`,
  },
  ...['catalog', 'registration'].flatMap((schema) => [
    {
      title: `${schema} owes the bus nothing`,
      needs: `${schema}.outbox_message`,
      sql: `select id from ${schema}.outbox_message where stream_seq is null`,
    },
  ]),
  ...['catalog', 'registration', 'commerce', 'onsite'].map((schema) => ({
    title: `${schema} could apply every record`,
    needs: `${schema}.dead_letter`,
    sql: `select * from ${schema}.dead_letter`,
  })),
  {
    title: 'nobody passed a door twice',
    needs: 'onsite.checkin',
    sql: `select registration_id, subject_type, subject_id from onsite.checkin
      group by 1, 2, 3 having count(*) > 1`,
  },
  {
    title: "every check-in is of its registration's event",
    needs: 'onsite.checkin',
    sql: `select c.id from onsite.checkin c join registration.registration r on r.id = c.registration_id
      where (r.event_id, r.business_unit_id) is distinct from (c.event_id, c.business_unit_id)`,
  },
];

/** The titles of what is broken in this database, each with up to three of the rows; empty when all holds. Also says how
 *  many could be asked. Tables of services that are not there are left out.
 *  Errors: PostgreSQL's. */
export async function brokenInvariants(
  databaseUrl: string,
): Promise<{ asked: number; broken: Record<string, unknown[]> }> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const broken: Record<string, unknown[]> = {};
    let asked = 0;
    for (const { title, needs, sql } of invariants) {
      const known = await client.query('select to_regclass($1) is not null as here', [needs]);
      if (!known.rows[0]?.here) continue;
      asked += 1;
      const { rows } = await client.query(`select * from (${sql}) x limit 3`);
      if (rows.length > 0) broken[title] = rows;
    }
    return { asked, broken };
  } finally {
    await client.end();
  }
}

/** Looks until all holds, for ten seconds: messages on their way are no defect yet. */
export async function settledInvariants(databaseUrl: string) {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const result = await brokenInvariants(databaseUrl);
    const isWhole = Object.keys(result.broken).length === 0;
    if (isWhole || performance.now() > deadline) return result;
    await wait(500);
  }
}
