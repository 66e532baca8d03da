import { reserveSeats } from '@event-api/contracts/internal/reservations';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { unavailable } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { OriginStatus } from '@event-api/platform/messaging/projections/origins';
import { createProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commerce } from '../src/app.ts';
import { checkoutRoutes } from '../src/checkout/checkout.routes.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import { createPaymentProvider } from '../src/payments/providers/create-provider.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

let app: HttpServer;
let token: string;
/** How far the projections can be trusted. */
let trust: OriginStatus;
/** The records that catalog has. Null while it is down. */
let catalog: Map<string, Snapshot> | null;
/** The ids of the reservations that registration was asked for. */
let reserved: string[];

const businessUnitId = newId('unit');
let eventId: string;
let typeId: string;
let addonId: string;

/** Stands for registration, which has a seat for everybody. */
const registration = {
  call: async (operation: unknown, input: { reservationId: string }) => {
    if (operation !== reserveSeats) throw unavailable();
    reserved.push(input.reservationId);
    return {
      outcome: 'reserved',
      expiresAt: '2030-01-01T00:00:00.000Z',
      redemptionCode: null,
      discount: null,
      discountedTicketTypeId: null,
      approvalSeat: null,
      buyerRegistrationId: null,
    };
  },
} as unknown as ServiceClient;

const refresherOf = (statusOf: () => OriginStatus) =>
  createProjectionRefresher({
    db,
    projections: commerce.projections,
    trust: { statusOf: async () => statusOf() },
    snapshotClients: {
      catalog: {
        async read(type, unit, id) {
          if (!catalog) throw unavailable();
          const snapshot = catalog.get(`${type} ${id}`);
          return snapshot?.businessUnitId === unit ? snapshot : null;
        },
        lineage: async () => ({ lineage: 'lineage', previousLineage: null }),
        page: async () => ({ snapshots: [], next: null }),
      },
    },
  });

beforeAll(async () => {
  const log = createLogger({ service: 'commerce', level: 'silent' });
  const settings = { TELEMETRY_SAMPLE_RATIO: 1 };
  const telemetry = await createTelemetry({ service: 'commerce', log, settings });
  const callers = await createTestCallers(['gateway']);
  const gateway = await callers.signer('gateway');
  token = await gateway.sign({ audience: 'api', businessUnitId, defaultCurrency: 'EUR' });
  app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(app, callers.verifier);
  checkoutRoutes(app, {
    db,
    log,
    refresher: refresherOf(() => trust),
    catalog: registration,
    registration,
    telemetry,
    metrics: createCommerceMetrics(telemetry.metrics),
    accounts: platformAccount,
    provider: await createPaymentProvider({
      NODE_ENV: 'test',
      ALLOW_SANDBOX: '1',
      PAYMENT_PROVIDER: 'sandbox',
      SANDBOX_URL: 'http://127.0.0.1:1',
      SANDBOX_SECRETS: ['secret'],
      PAYMENT_LIVEMODE: 'false',
    }),
  });
});
afterAll(() => app?.close());

beforeEach(async () => {
  [trust, catalog, reserved] = ['confirmed', new Map(), []];
  [eventId, typeId, addonId] = [newId('evt'), newId('tt'), newId('addon')];
  for (const [type, id, data] of [
    ['catalog.event', eventId, eventData],
    ['catalog.ticket_type', typeId, typeData],
    ['catalog.addon', addonId, addonData],
  ] as const) {
    // The projection is newer than the record of catalog, as after a restore of its database.
    await refresherOf(() => 'confirmed').store([snapshotOf(type, id, data, 9)]);
    addRecord(type, id, data);
  }
});

const eventData = {
  name: 'Sold',
  status: 'published',
  startsAt: null,
  endsAt: null,
  currency: 'EUR',
  currencyLocked: true,
  agendaVersion: 0,
  form: null,
};
const saleData = { description: null, status: 'open', sortOrder: 0, perkIds: [] };
const typeData = {
  ...saleData,
  name: 'Day pass',
  capacity: null,
  allowWaitlist: false,
  requiresApproval: false,
  isPublic: true,
  opensAt: null,
  closesAt: null,
  priceAmount: 2500,
  createdAt: '2027-01-01T00:00:00.000Z',
};
const addonData = { ...saleData, name: 'Lunch', priceAmount: 500 };

const snapshotOf = (type: string, aggregateId: string, data: object, version: number) =>
  ({
    id: newId('msg'),
    type,
    businessUnitId,
    eventId,
    aggregateId,
    version,
    occurredAt: '2027-01-01T00:00:00.000Z',
    data,
  }) as Snapshot;

const addRecord = (type: string, id: string, data: object) =>
  catalog?.set(`${type} ${id}`, snapshotOf(type, id, data, 1));

async function placeOrder() {
  const items = [
    { itemType: 'registration_type', itemId: typeId },
    { itemType: 'addon', itemId: addonId },
  ];
  const response = await app.inject({
    method: 'POST',
    url: `/v1/events/${eventId}/orders`,
    headers: { 'x-caller': token },
    payload: { email: 'ada@example.com', items },
  });
  const [row] = await database.sql<{ orders: number }>(
    'select count(*)::int as orders from commerce.customer_order where event_id = $1',
    [eventId],
  );
  return {
    status: response.statusCode,
    totalAmount: response.json().totalAmount,
    orders: row?.orders,
  };
}

describe('while catalog is away, an order', () => {
  beforeEach(() => {
    catalog = null;
  });

  test('is a 503 and reserves no seat if its database is known to differ', async () => {
    trust = 'different';
    expect(await placeOrder()).toEqual({ status: 503, totalAmount: undefined, orders: 0 });
    expect(reserved).toEqual([]);
  });

  test.each(['unconfirmed', 'confirmed'] as const)(
    'rests on the projections if nothing shows that its database differs: %s',
    async (status) => {
      trust = status;
      expect(await placeOrder()).toEqual({ status: 201, totalAmount: 3000, orders: 1 });
    },
  );
});

describe.each(['unconfirmed', 'different'] as const)('while projections are %s', (status) => {
  beforeEach(() => {
    trust = status;
  });

  test('an order costs what catalog says, although the projection has a newer version', async () => {
    addRecord('catalog.ticket_type', typeId, { ...typeData, priceAmount: 1000 });
    expect(await placeOrder()).toEqual({ status: 201, totalAmount: 1500, orders: 1 });
  });

  test.each([
    ['an event', 404, () => `catalog.event ${eventId}`],
    ['a ticket type', 400, () => `catalog.ticket_type ${typeId}`],
    ['an add-on', 400, () => `catalog.addon ${addonId}`],
  ])('nothing is sold of %s that does not exist any more: %i', async (_record, code, key) => {
    catalog?.delete(key());
    expect(await placeOrder()).toMatchObject({ status: code, orders: 0 });
    expect(reserved).toEqual([]);
  });
});
