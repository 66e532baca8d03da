import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../generated/client/types.gen.ts';
import {
  cancelOrder,
  confirmOrder,
  createCheckin,
  createEvent,
  createRegistration,
  createTicketType,
  getOrder,
  placeOrder,
  updateTicketType,
} from '../../generated/sdk.gen.ts';
import type { Order } from '../../generated/types.gen.ts';
import { type Command, CommandError, type Terminal, UsageError } from '../command.ts';
import { connect } from '../config.ts';

const payTimeoutMs = 30_000;
const pollMs = 200;

interface Demo {
  client: Client;
  terminal: Terminal;
  path: { eventId: string };
  typeId: string;
}

/** A scenario creates real records. It returns their ids by name. */
type Scenario = (demo: Demo) => Promise<Record<string, string>>;

const scenarios: Readonly<Record<string, { priceAmount: number; run: Scenario }>> = {
  'order.paid': { priceAmount: 1500, run: payOrder },
  'registration.created': {
    priceAmount: 0,
    run: async (demo) => ({ registration: (await register(demo)).id }),
  },
  'checkin.created': { priceAmount: 0, run: checkIn },
};

const names = Object.keys(scenarios).join(', ');

/** Causes changes with real records of a new draft event. */
export const trigger: Command = {
  name: 'trigger',
  group: 'Development',
  summary: `Cause a change with demo records: ${names}.`,
  example: 'trigger order.paid',
  words: ['scenario'],
  notes: [
    `Each call creates a draft event with one ticket type and uses no other record. order.paid pays on the page of the
    payment sandbox; with another provider the order is cancelled. Needs an unrestricted key, or one with the groups
    manage and sell, and for checkin.created also doors.`,
  ],
  async run({ terminal, words: [name = ''], json }) {
    const scenario = scenarios[name];
    if (!scenario) throw new UsageError(`${name} is not a scenario: use one of ${names}`);
    const client = await connect(terminal);
    const body = { name: `Demo of ${name}`, timezone: 'UTC' };
    const event = await createEvent({ client, body });
    const path = { eventId: event.id };
    const { priceAmount } = scenario;
    const type = await createTicketType({
      ...{ client, path },
      body: { name: 'Demo ticket', capacity: 10, priceAmount },
    });
    const typePath = { ...path, typeId: type.id };
    await updateTicketType({ client, path: typePath, body: { status: 'open' } });
    const created = await scenario.run({ client, terminal, path, typeId: type.id });
    const all = { event: event.id, ticketType: type.id, ...created };
    if (json) terminal.print(JSON.stringify(all));
    else for (const [key, id] of Object.entries(all)) terminal.print(`${key.padEnd(12)}  ${id}`);
  },
};

const demoEmail = () => `demo-${randomBytes(6).toString('hex')}@example.com`;

async function register({ client, path, typeId }: Demo) {
  const body = { email: demoEmail(), name: 'Demo Person', registrationTypeId: typeId };
  return (await createRegistration({ client, path, body })).registration;
}

async function checkIn(demo: Demo): Promise<Record<string, string>> {
  const { id, checkinCode } = await register(demo);
  const body = { checkinCode, subjectType: 'event' as const };
  const { checkin } = await createCheckin({ client: demo.client, path: demo.path, body });
  return { registration: id, checkin: checkin.id };
}

async function payOrder({ client, terminal, path, typeId }: Demo): Promise<Record<string, string>> {
  const items = [{ itemType: 'registration_type' as const, itemId: typeId, quantity: 1 }];
  const body = { email: demoEmail(), name: 'Demo Buyer', items };
  const placed = await placeOrder({ client, path, body });
  // Only a buyer who is already registered gets no order.
  if (!('orderNumber' in placed)) throw new CommandError('the demo buyer is already registered');
  const { id, orderNumber } = placed;
  const urls = {
    successUrl: 'https://example.com/thanks',
    cancelUrl: 'https://example.com/basket',
  };
  const orderPath = { ...path, orderNumber };
  const { paymentUrl } = await confirmOrder({ client, path: orderPath, body: urls });
  if (!(await payInSandbox(paymentUrl, terminal.signal))) {
    await cancelOrder({ client, path: orderPath });
    throw new CommandError('the platform does not use the payment sandbox; the order is cancelled');
  }
  const readOrder = () => getOrder({ client, path: { ...path, orderId: id } });
  const order = await untilFinal(readOrder, terminal.signal);
  if (order.status !== 'paid') throw new CommandError(`the order is ${order.status}, not paid`);
  return { order: id, registration: order.registrationIds[0] ?? '' };
}

/**
 * Presses the button of the payment page. Returns false if it is not one of the sandbox, which no
 * real money reaches.
 */
async function payInSandbox(paymentUrl: string | null, signal: AbortSignal): Promise<boolean> {
  if (paymentUrl === null || !/\/pay\/[^/]+$/.test(paymentUrl)) return false;
  const response = await fetch(`${paymentUrl}/pay`, { method: 'POST', signal });
  await response.body?.cancel();
  return response.ok;
}

async function untilFinal(read: () => Promise<Order>, signal: AbortSignal): Promise<Order> {
  const deadline = performance.now() + payTimeoutMs;
  for (;;) {
    const order = await read();
    const isOpen = order.status === 'held' || order.status === 'awaiting_payment';
    if (!isOpen || performance.now() > deadline) return order;
    await pause(pollMs, undefined, { signal });
  }
}
