import { join } from 'node:path';
import { schemas } from '@event-api/contracts/topology';
import { runOnce } from '@event-api/local-servers/run-once';
import type { TestDatabase } from '@event-api/platform/testing/database';
import { provision } from '@event-api/provisioning/provision';

const root = join(import.meta.dirname, '../..');

/** Creates the tables of these services in an empty database. */
export async function migrate(database: TestDatabase, services: readonly string[]): Promise<void> {
  const { owner } = await provision(database.url, schemas);
  await Promise.all(
    services.map((service) =>
      runOnce('the migration', [process.execPath, 'src/migrate.ts'], {
        env: { ...process.env, MIGRATION_DATABASE_URL: owner },
        cwd: join(root, 'services', service),
        signal: new AbortController().signal,
      }),
    ),
  );
}

const now = '2027-01-01T00:00:00Z';
const record = { business_unit_id: 'unit', event_id: 'evt', version: 1 };
const event = { name: 'E', currency: 'EUR', status: 'published' };
const type = { id: 'tt', name: 'T', price_amount: 100, status: 'open' };
const settings = {
  allow_waitlist: false,
  is_public: true,
  requires_approval: false,
  sort_order: 0,
};
const scope = { business_unit_id: 'unit', event_id: 'evt' };
const vat = { rate: { id: 'tax', name: 'VAT', percentage: 1900, mode: 'inclusive' } };

/**
 * An event with one attendee, who ordered a ticket with an add-on and a code, paid, and checked in.
 */
const rows: readonly (readonly [table: string, row: Record<string, unknown>])[] = [
  [
    'catalog.event',
    { id: 'evt', business_unit_id: 'unit', public_id: 'p', timezone: 'UTC', version: 1, ...event },
  ],
  ['registration.event_projection', { id: 'evt', ...record, ...event }],
  ['commerce.event_projection', { id: 'evt', ...record, ...event, currency_locked: true }],
  ['onsite.event_projection', { id: 'evt', ...record, agenda_version: 0 }],
  ['catalog.ticket_type', { ...record, ...type, ...settings, capacity: 1 }],
  [
    'registration.ticket_type_projection',
    { ...record, ...type, ...settings, capacity: 1, created_at: now, perk_ids: [] },
  ],
  ['commerce.ticket_type_projection', { ...record, id: 'tt', name: 'T', price_amount: 100 }],
  ['onsite.ticket_type_projection', { ...record, id: 'tt', perk_ids: [] }],
  ['catalog.seat_count', { ...record, id: 'tt', confirmed: 1, waitlisted: 0 }],
  ['registration.seat_ledger', { ...scope, ticket_type_id: 'tt', confirmed: 1, version: 1 }],
  [
    'registration.attendee',
    {
      id: 'att',
      ...scope,
      contact_id: 'con',
      email: 'a@b.c',
      normal_email: 'a@b.c',
      created_at: now,
    },
  ],
  [
    'registration.redemption_code',
    { id: 'code', ...scope, ticket_type_id: 'tt', code: 'X', code_key: 'X', uses: 1, max_uses: 1 },
  ],
  [
    'registration.registration',
    {
      id: 'reg',
      ...record,
      attendee_id: 'att',
      contact_id: 'con',
      email: 'a@b.c',
      normal_email: 'a@b.c',
      active_email: 'a@b.c',
      status: 'confirmed',
      type: 'attendee',
      ticket_type_id: 'tt',
      order_id: 'ord',
      redemption_code_id: 'code',
      checkin_code: 'CHK',
      registered_at: now,
    },
  ],
  [
    'onsite.registration_projection',
    {
      id: 'reg',
      ...record,
      status: 'confirmed',
      checkin_code: 'CHK',
      addon_ids: [],
      granted_perk_ids: [],
    },
  ],
  [
    'commerce.registration_projection',
    { id: 'reg', ...record, status: 'confirmed', order_id: 'ord' },
  ],
  [
    'registration.seat_reservation',
    {
      id: 'ord',
      ...scope,
      state: 'fulfilled',
      expires_at: now,
      redemption_code_id: 'code',
      code_uses: 1,
      fulfilment: { seats: [{ registrationId: 'reg', created: true }], addonRegistrationId: 'reg' },
    },
  ],
  [
    'registration.seat_reservation_item',
    { reservation_id: 'ord', ticket_type_id: 'tt', quantity: 1 },
  ],
  [
    'registration.registration_addon',
    { registration_id: 'reg', addon_id: 'add', order_id: 'ord', business_unit_id: 'unit' },
  ],
  [
    'commerce.customer_order',
    {
      id: 'ord',
      ...scope,
      order_number: 'ORD',
      email: 'a@b.c',
      refund_policy: JSON.stringify({ bands: [{ daysBeforeStart: 0, until: null, percent: 0 }] }),
      status: 'paid',
      currency: 'EUR',
      total_amount: 100,
      tax_amount: 16,
      seats: '[]',
      addon_ids: ['add'],
      hold_expires_at: now,
      placed_at: now,
      paid_at: now,
      settlement_id: 'stl',
      last_attempt_at: now,
    },
  ],
  [
    'commerce.order_line',
    {
      order_id: 'ord',
      position: 0,
      item_type: 'registration_type',
      item_id: 'tt',
      name: 'T',
      quantity: 1,
      unit_amount: 100,
      discount_amount: 0,
      total_amount: 100,
      tax_amount: 16,
      taxes: JSON.stringify([{ ...vat, netAmount: 84, taxAmount: 16, grossAmount: 100 }]),
      attendees: '[]',
      first_seat: 0,
      seat_count: 1,
      registration_ids: ['reg'],
    },
  ],
  [
    'commerce.settlement',
    {
      id: 'stl',
      provider: 'sandbox',
      provider_notification_id: 'evt',
      provider_payment_id: 'pi',
      session_id: 'cs',
      order_id: 'ord',
      amount: 100,
      currency: 'EUR',
      state: 'accepted',
      received_at: now,
      last_attempt_at: now,
    },
  ],
  [
    'commerce.refund',
    {
      id: 'rfd',
      ...scope,
      order_id: 'ord',
      settlement_id: 'stl',
      amount: 30,
      currency: 'EUR',
      state: 'done',
      cause: 'operator',
      created_at: now,
      last_attempt_at: now,
    },
  ],
  [
    'commerce.provider_refund',
    {
      ...{ provider: 'sandbox', provider_refund_id: 're', provider_payment_id: 'pi', amount: 30 },
      ...{ currency: 'EUR', state: 'done', settlement_id: 'stl', received_at: now },
      ...{ processed_at: now, last_attempt_at: now },
    },
  ],
  [
    'commerce.dispute',
    {
      ...{ provider: 'sandbox', provider_dispute_id: 'dp', provider_payment_id: 'pi', amount: 30 },
      ...{ currency: 'EUR', status: 'won', created_at: now, reported_at: now, received_at: now },
      ...{ settlement_id: 'stl', order_id: 'ord', ...scope },
    },
  ],
  [
    'commerce.cancelled_seat',
    {
      registration_id: 'reg_left',
      order_id: 'ord',
      ...scope,
      cancelled_at: now,
      decided_at: now,
      paid_amount: 100,
      kept_amount: 100,
      reason: 'too_late',
      last_attempt_at: now,
    },
  ],
  [
    'commerce.event_cancellation',
    { event_id: 'evt', business_unit_id: scope.business_unit_id, next_attempt_at: now },
  ],
  [
    'commerce.claim_link',
    { id: 'clm', order_id: 'ord', ...scope, token_hash: 'hash', created_at: now },
  ],
  [
    'commerce.order_change',
    {
      id: 'quo',
      order_id: 'ord',
      ...scope,
      request: { cancelSeats: [] },
      quote: { refund: 0 },
      state: 'done',
      created_at: now,
      expires_at: now,
      last_attempt_at: now,
    },
  ],
  [
    'onsite.checkin',
    {
      id: 'chk',
      ...scope,
      registration_id: 'reg',
      subject_type: 'event',
      subject_id: 'evt',
      method: 'scan',
    },
  ],
];

/** Empties the tables of all services and fills them with consistent rows. */
export async function writeConsistentData(sql: TestDatabase['sql']): Promise<void> {
  // Triggers write the counts of check-ins and the journal.
  const written = ['onsite.checkin_count', 'commerce.journal_entry', 'commerce.journal_digest'];
  const tables = new Set([...rows.map(([table]) => table), ...written]);
  for (const ofSchema of Map.groupBy(tables, (table) => table.split('.')[0]).values())
    await sql(`truncate ${ofSchema.join(', ')}`);
  for (const [table, row] of rows) {
    const names = Object.keys(row);
    await sql(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
  }
}
