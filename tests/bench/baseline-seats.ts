// The baseline for admission, in its own process. Over HTTP: a registration in several statements
// that takes its seat with a conditional update of the ledger's row. Without HTTP: bare inserts
// through the same pool.
import { randomBytes, randomUUID } from 'node:crypto';
import { createRegistration } from '@event-api/contracts/http/registrations';
import { newId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { createCallerVerifier } from '@event-api/platform/http/caller-tokens';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer } from '@event-api/platform/http/server';
import { openBenchDatabase } from './database.ts';

export interface PlainSettings {
  databaseUrl: string;
  poolMax: number;
  publicJwks: Parameters<typeof createCallerVerifier>[0]['publicJwks'];
}

const { databaseUrl, poolMax, publicJwks }: PlainSettings = JSON.parse(
  process.env.PLAIN_SEATS ?? '{}',
);
const db = await openBenchDatabase(databaseUrl, 'registration', poolMax);

const sale = statement<{ status: string; capacity: number | null }>(
  'plain_sale',
  `select t.status, t.capacity from registration.event_projection e
   join registration.ticket_type_projection t on t.event_id = e.id
   where e.id = $1 and e.business_unit_id = $2 and t.id = $3 and e.status <> 'archived'`,
);
const registered = statement<{ id: string }>(
  'plain_registered',
  'select id from registration.registration where event_id = $1 and active_email = $2',
);
const takeSeat = statement<{ confirmed: number }>(
  'plain_take',
  `update registration.seat_ledger set confirmed = confirmed + 1, version = version + 1
   where ticket_type_id = $1 and ($2::int is null or confirmed + reserved < $2) returning confirmed`,
);
const attendee = statement<{ id: string }>(
  'plain_attendee',
  `insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, created_at)
   values ($1, $2, $3, $1, $4, $4, now()) on conflict (event_id, normal_email) do update
   set normal_email = excluded.normal_email returning id`,
);
const insert = statement<{ id: string; registeredAt: Date }>(
  'plain_insert',
  `insert into registration.registration (id, business_unit_id, event_id, attendee_id, contact_id, email, normal_email,
     active_email, status, type, ticket_type_id, checkin_code, registered_at, version)
   values ($1, $2, $3, $4, $4, $5, $5, $5, 'confirmed', 'attendee', $6, $7, now(), 1)
   returning id, registered_at as "registeredAt"`,
);
const insertMessage = statement(
  'plain_tell',
  'insert into registration.outbox_message (id, payload, stream_seq) values ($1, $2, 0)',
);

interface Wish {
  businessUnitId: string;
  eventId: string;
  typeId: string;
  email: string;
}

async function register(tx: Tx, { businessUnitId, eventId, typeId, email }: Wish) {
  const [type] = await tx.query(sale, [eventId, businessUnitId, typeId]);
  if (type?.status !== 'open') throw new Error('not on sale');
  const [existing] = await tx.query(registered, [eventId, email]);
  if (existing) throw new Error('registered already');
  const [seat] = await tx.query(takeSeat, [typeId, type.capacity]);
  if (!seat) throw new Error('sold out');
  const [person] = await tx.query(attendee, [newId('att'), businessUnitId, eventId, email]);
  const id = newId('reg');
  const code = `CHK-${randomBytes(8).toString('hex')}`;
  const [row] = await tx.query(insert, [
    id,
    businessUnitId,
    eventId,
    person?.id,
    email,
    typeId,
    code,
  ]);
  await tx.query(insertMessage, [randomUUID(), JSON.stringify([{ typeId, ...seat }])]);
  return { ...row, eventId, email, checkinCode: code, attendeeId: person?.id, status: 'confirmed' };
}

const app = createHttpServer({
  log: createLogger({ service: 'plain', level: 'error' }),
  checkResponses: false,
  trustRequestId: true,
});
requireCaller(app, await createCallerVerifier({ publicJwks }));
app.route({
  ...createRegistration,
  handler: async (request, reply) => {
    const { email, registrationTypeId: typeId = '' } = request.body;
    const { eventId } = request.params as { eventId: string };
    const wish = { businessUnitId: request.caller.businessUnitId, eventId, typeId, email };
    const registration = await db.transaction((tx) => register(tx, wish));
    return reply.code(201).send({ registration, created: true } as never);
  },
});

/**
 * Inserts with this number of clients for this time. Each insert is one row, one statement and one
 * commit.
 */
async function insertFor(clients: number, durationMs: number, wish: Wish): Promise<number> {
  const endAt = performance.now() + durationMs;
  let rows = 0;
  const client = async () => {
    while (performance.now() < endAt) {
      const { businessUnitId, eventId, typeId } = wish;
      const [id, code] = [newId('reg'), randomUUID()];
      await db.query(insert, [id, businessUnitId, eventId, id, id, typeId, code]);
      rows += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return rows / (durationMs / 1000);
}

process.on('message', async (job: { clients: number; durationMs: number; wish: Wish } | 'cpu') => {
  if (job === 'cpu' || !('clients' in job)) return process.send?.(process.cpuUsage());
  process.send?.({ perSecond: await insertFor(job.clients, job.durationMs, job.wish) });
});
process.on('disconnect', () => process.exit());
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
