import { randomBytes } from 'node:crypto';
import type { Operation } from '@event-api/contracts/operation';
import { sign, signatureHeader } from '@event-api/payment-sandbox/signature';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './given-bus.ts';

/** Steps that were left half-way are repeated almost at once, so that no test waits for them. */
export const impatient = {
  REPEAT_EVERY_MS: '100',
  REPEAT_IDLE_MS: '300',
  END_SESSION_BEFORE_MS: '300',
};

/** Waits for a slow bus, a slow Redis and slow promotions: a busy machine must not decide what a test sees. */
export const patient = {
  catalog: 'off:bus.hurry,off:promotion.timeout',
  registration: 'off:bus.hurry',
  gateway: 'off:redis.hurry',
};

/** Also waits longer for projections than the second of production. */
export const morePatient: typeof patient & Record<string, string> = {
  ...patient,
  catalog: `${patient.catalog},off:copies.hurry`,
  registration: `${patient.registration},off:copies.hurry`,
  commerce: 'off:copies.hurry',
};

export const urls = {
  successUrl: 'https://tickets.example.com/thanks?a=1',
  cancelUrl: 'http://localhost:3000/basket',
};

/** The platform with commerce in a hurry, and those it copies with time for the bus: what is seen is not tested by how soon. */
export const createCheckoutFixture = (
  env: Record<string, NodeJS.ProcessEnv> = {},
): Promise<BusFixture> =>
  createBusFixture({
    env: { ...env, commerce: { ...impatient, ...env.commerce } },
    faults: morePatient,
  });

export const someEmail = (): string => `buyer-${randomBytes(6).toString('hex')}@example.com`;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, whatever their shape.
export type Body = any;

/** A shop: an event with one open ticket type and what a buyer does with it. */
export async function createSale(bus: BusFixture, type: object = {}) {
  const { unitId, at } = await bus.newUnit();
  const call = at(bus.gatewayUrl);
  const event = await openEvent(call, { capacity: 10, ...type });
  return { unitId, call, ...event, ...buyer(call, event.path, event.typeId) };
}

export type SaleFixture = Awaited<ReturnType<typeof createSale>>;

function buyer(call: HttpClient, path: string, typeId: string) {
  const ofType = (fields: object = {}) => ({
    itemType: 'registration_type',
    itemId: typeId,
    ...fields,
  });
  const place = (fields: object = {}): Promise<TestResponse> =>
    call('POST', `${path}/orders`, { body: { email: someEmail(), items: [ofType()], ...fields } });
  const read = (id: string): Promise<Body> => expectStatus(call, ['GET', `${path}/orders/${id}`]);
  return {
    ofType,
    place,
    /** An order that has to be placed. */
    async placed(fields: object = {}): Promise<Body> {
      const { status, body } = await place(fields);
      if (status !== 201) throw new Error(`placing: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    read,
    confirm: (id: string, body: object = urls): Promise<TestResponse> =>
      call('POST', `${path}/orders/${id}/confirm`, { body }),
    cancel: (id: string): Promise<TestResponse> => call('POST', `${path}/orders/${id}/cancel`),
    /** The order once it has come to `status`. */
    until: (id: string, status: string, withinMs = 60_000): Promise<Body> =>
      eventually(async () => {
        const order = await read(id);
        if (order.status !== status) throw new Error(`the order is ${order.status}`);
        return order;
      }, withinMs),
    availability: (): Promise<Body> =>
      expectStatus(call, ['GET', `${path}/ticket-types/${typeId}/availability`]),
    registrations: async (): Promise<Body[]> =>
      (await expectStatus(call, ['GET', `${path}/registrations`])).registrations,
  };
}

/** Presses the button of a payment page; `how` sets its switches. */
export async function pay(paymentUrl: string, how = ''): Promise<number> {
  const response = await fetch(`${paymentUrl}/pay${how}`, { method: 'POST' });
  await response.body?.cancel();
  return response.status;
}

/** Places an order and has it confirmed, so that it waits for its payment. */
export async function awaiting(shop: SaleFixture): Promise<{ id: string; url: string }> {
  const { id } = await shop.placed();
  const { body } = await shop.confirm(id);
  return { id, url: body.paymentUrl };
}

/** Sends the gateway a notification of the payment sandbox, signed `at` some time with a secret, by default its own. */
export async function notify(
  bus: BusFixture,
  notification: object,
  { secret = bus.sandboxSecret, at = new Date() } = {},
): Promise<number> {
  const body = Buffer.from(JSON.stringify(notification));
  const response = await fetch(`${bus.gatewayUrl}/payments/notifications/sandbox`, {
    method: 'POST',
    headers: { [signatureHeader]: sign(secret, at, body) },
    body: new Uint8Array(body),
  });
  await response.body?.cancel();
  return response.status;
}

/** Tells, in the sandbox's name, that all was paid that the session of a page asks for. */
export async function notifyPaid(
  bus: BusFixture,
  paymentUrl: string,
  as: { eventId?: string; paymentId?: string } = {},
): Promise<number> {
  const { id, attemptId, orderId, amount, currency, ...existing } =
    await bus.sandboxSession(paymentUrl);
  const { eventId = `evt_${id}`, paymentId = existing.paymentId ?? `pi_${id}` } = as;
  const session = { id, attemptId, orderId, amount, currency, paymentId };
  return notify(bus, { id: eventId, type: 'session.paid', session });
}

/** Runs an operator's command on the event of a shop. */
export const command = <O extends Operation>(
  { operator }: BusFixture,
  { unitId, eventId }: { unitId: string; eventId: string },
  operation: O,
  input: object = {},
): Promise<Body> =>
  operator.callUnchecked(operation, { businessUnitId: unitId, eventId, ...input }) as Promise<Body>;
