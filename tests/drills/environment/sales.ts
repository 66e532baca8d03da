import { setEventLimits } from '@event-api/contracts/operator/event-limits';
import { createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { type ApiClient, createApiClient } from '@event-api/tools/seed/api-client';
import type { DrillEnvironment, Key } from './environment.ts';

/** A ticket type of a drill. All are open; some have a waitlist. */
export interface TicketType {
  id: string;
  name: string;
  capacity: number | null;
  priceAmount: number;
  requiresApproval: boolean;
  allowWaitlist: boolean;
}

/** A registration that the clients created, with its last observed status. */
export interface CreatedRegistration {
  id: string;
  typeId: string;
  email: string;
  checkinCode: string;
  status: string;
  /** Whether a seat was offered to it at the last observation. */
  hasOffer: boolean;
}

export interface CreatedOrder {
  id: string;
  status: string;
  totalAmount: number;
  paymentUrl: string | null;
  /** URL of its payment page, also after the page has closed. */
  sessionUrl: string | null;
  /** Paid with a forged notification. The provider has no payment for it and cannot refund it. */
  isForged: boolean;
}

/** An event with its offer and the records that the clients created. */
export interface SaleFixture {
  unitId: string;
  /** API key of the business unit. A fault may replace it. */
  key: Key;
  currency: 'EUR' | 'JPY';
  eventId: string;
  path: string;
  types: TicketType[];
  addonId: string;
  /** Codes by ticket type. Clients append the codes that they create. */
  codes: { code: string; typeId: string }[];
  doors: { subjectType: 'event' | 'venue'; subjectId: string }[];
  /** The ids of records of the program that operators created. */
  program: Record<'exhibitor' | 'session' | 'speaker' | 'venue', string[]>;
  registrations: CreatedRegistration[];
  orders: CreatedOrder[];
}

const types = [
  { name: 'Scarce', capacity: 12 },
  { name: 'Queue', capacity: 8, allowWaitlist: true },
  { name: 'Priced', capacity: 60, priceAmount: 800 },
  { name: 'Expensive', capacity: 10, priceAmount: 2500 },
  { name: 'Approval', capacity: 10, requiresApproval: true, allowWaitlist: true },
  { name: 'Offered', capacity: 5, priceAmount: 1200, allowWaitlist: true },
  { name: 'Selected', capacity: 6, priceAmount: 900, requiresApproval: true, allowWaitlist: true },
  { name: 'Open', capacity: null },
];

/** Creates three business units with two events each. */
export async function createSales(environment: DrillEnvironment): Promise<SaleFixture[]> {
  const sales: SaleFixture[] = [];
  for (const currency of ['EUR', 'JPY', 'EUR'] as const) {
    const { unitId, key } = await environment.newUnit(currency);
    const api = createApiClient(environment.gatewayUrl, key.secret);
    for (let event = 0; event < 2; event++) {
      sales.push(await createSale(environment, api, { unitId, key, currency }));
    }
  }
  return sales;
}

async function createSale(
  { operator }: DrillEnvironment,
  api: ApiClient,
  unit: Pick<SaleFixture, 'unitId' | 'key' | 'currency'>,
): Promise<SaleFixture> {
  const event = await api.request<{ id: string }>('POST', '/v1/events', {
    name: 'A day of drills',
    timezone: 'Europe/Berlin',
    startsAt: '2030-05-01T09:00:00+02:00',
  });
  const path = `/v1/events/${event.id}`;
  await api.request('PATCH', path, { status: 'published' });
  const created = [];
  for (const type of types) {
    const { id } = await api.request<TicketType>('POST', `${path}/ticket-types`, type);
    created.push(
      await api.request<TicketType>('PATCH', `${path}/ticket-types/${id}`, { status: 'open' }),
    );
  }
  const addon = await api.request<{ id: string }>('POST', `${path}/addons`, {
    name: 'Dinner',
    priceAmount: 500,
  });
  await api.request('PATCH', `${path}/addons/${addon.id}`, { status: 'open' });
  const scope = { businessUnitId: unit.unitId, eventId: event.id };
  const venue = await operator.call(createVenue, { ...scope, name: 'Hall' });
  // The shortest time, so that offers expire during the drill.
  await operator.call(setEventLimits, { ...scope, waitlistOfferMinutes: 1 });
  // In one currency the platform pays back at once.
  await operator.call(setRefundPolicy, {
    ...scope,
    text: 'Most of it',
    automatic: unit.currency === 'JPY',
    bands: [{ daysBeforeStart: 14, percent: 70, fixedFee: 3 }],
  });
  const codes = [];
  for (const code of codesFor(created)) {
    await api.request('POST', `${path}/redemption-codes`, code);
    codes.push({ code: code.code, typeId: code.registrationTypeId });
  }
  return {
    ...unit,
    eventId: event.id,
    path,
    types: created,
    addonId: addon.id,
    codes,
    doors: [
      { subjectType: 'event', subjectId: event.id },
      { subjectType: 'venue', subjectId: venue.id },
    ],
    program: { exhibitor: [], session: [], speaker: [], venue: [] },
    registrations: [],
    orders: [],
  };
}

interface CodeInput {
  registrationTypeId: string;
  code: string;
  maxUses: number | null;
  discount: { type: string; value: number } | null;
}

const codesFor = (ticketTypes: readonly TicketType[]): CodeInput[] =>
  ticketTypes.flatMap(({ id: registrationTypeId, name }): CodeInput[] => {
    if (name === 'Priced') {
      return [
        { registrationTypeId, code: 'HALF', maxUses: null, discount: percent(50) },
        { registrationTypeId, code: 'GIFT', maxUses: 15, discount: percent(100) },
      ];
    }
    return name === 'Open' ? [{ registrationTypeId, code: 'FEW', maxUses: 5, discount: null }] : [];
  });

const percent = (value: number) => ({ type: 'percent', value });
