import type { CapacityGroup } from '@event-api/contracts/http/events';
import type { ChangedType } from '@event-api/contracts/http/order-changes';
import { setEventLimits } from '@event-api/contracts/operator/event-limits';
import { createVenue } from '@event-api/contracts/operator/program';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { type ApiClient, createApiClient } from '@event-api/tools/seed/api-client';
import type { DrillEnvironment, Key } from './environment.ts';
import {
  type AddonName,
  createAddons,
  createTypes,
  refundPolicies,
  type TicketType,
} from './offer.ts';

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
  /**
   * Paid with a forged notification, or refunded before commerce lost the refund. The provider
   * cannot refund it.
   */
  isForged: boolean;
  /** Whether seats were sold without attendees. */
  hasOpenSeats: boolean;
}

/** A quoted change of an order. `quote` is the one of the response, without its id. */
export interface OpenQuote {
  id: string;
  quote: object;
  order: CreatedOrder;
  cancelSeats: string[];
  changeTypes: ChangedType[];
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
  /** The capacities that ticket types share. */
  groups: CapacityGroup[];
  /** Ids of add-ons. */
  addons: Record<AddonName, string>;
  /** Codes by ticket type. Clients append the codes that they create. */
  codes: { code: string; typeId: string }[];
  doors: { subjectType: 'event' | 'venue'; subjectId: string }[];
  /** The ids of records of the program that operators created. */
  program: Record<'exhibitor' | 'session' | 'speaker' | 'venue', string[]>;
  registrations: CreatedRegistration[];
  orders: CreatedOrder[];
  /** Quotes that no client has executed. */
  quotes: OpenQuote[];
  /** Whether the clients may cancel the event. */
  mayEnd: boolean;
}

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
  const last = sales.at(-1);
  if (last) last.mayEnd = true;
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
  const { groups, types } = await createTypes(api, path);
  const addons = await createAddons(api, path);
  const scope = { businessUnitId: unit.unitId, eventId: event.id };
  const venue = await operator.call(createVenue, { ...scope, name: 'Hall' });
  // The shortest time, so that offers expire during the drill.
  await operator.call(setEventLimits, { ...scope, waitlistOfferMinutes: 1 });
  // In one currency the platform pays back at once.
  const automatic = unit.currency === 'JPY';
  const [policy] = refundPolicies(types);
  if (policy) await operator.call(setRefundPolicy, { ...scope, ...policy, automatic });
  const codes = [];
  for (const code of codesFor(types)) {
    await api.request('POST', `${path}/redemption-codes`, code);
    codes.push({ code: code.code, typeId: code.registrationTypeId });
  }
  return {
    ...unit,
    eventId: event.id,
    path,
    types,
    groups,
    addons,
    codes,
    doors: [
      { subjectType: 'event', subjectId: event.id },
      { subjectType: 'venue', subjectId: venue.id },
    ],
    program: { exhibitor: [], session: [], speaker: [], venue: [] },
    registrations: [],
    orders: [],
    quotes: [],
    mayEnd: false,
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
