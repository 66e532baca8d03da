import {
  getEvent,
  getOrder,
  getRegistration,
  listEvents,
  listOrders,
  listRegistrations,
} from '../../generated/sdk.gen.ts';
import type { Event, Order, Registration } from '../../generated/types.gen.ts';
import { listAll } from '../../list-all.ts';
import { type Command, type Invocation, type Option, UsageError } from '../command.ts';
import { connect } from '../config.ts';
import { formatMoney } from '../money.ts';

const defaultLimit = 100;

const event: Option = { value: 'event id', summary: 'the event, required' };
const email: Option = { value: 'email', summary: 'only records with this email' };
const status: Option = { value: 'status', summary: 'only records with this status' };
const limit: Option = {
  value: 'number',
  summary: `at most so many records, ${defaultLimit} by default`,
};
const needsRead = ['Needs a key with the group read.'];

/** `list` and `get` of events, registrations and orders. */
export const recordCommands: readonly Command[] = [
  {
    name: 'events list',
    summary: 'List events.',
    options: { status, limit },
    notes: needsRead,
    async run(invocation) {
      const client = await connect(invocation.terminal);
      const query = filtersOf(invocation, ['status']);
      await printList(invocation, listAll(listEvents, { client, query }), rowOfEvent);
    },
  },
  {
    name: 'events get',
    summary: 'Read one event.',
    words: ['event id'],
    notes: needsRead,
    async run(invocation) {
      const client = await connect(invocation.terminal);
      printRecord(invocation, await getEvent({ client, path: { eventId: idOf(invocation) } }));
    },
  },
  {
    name: 'registrations list',
    summary: 'List the registrations of an event.',
    options: { event, status, email, limit },
    notes: needsRead,
    async run(invocation) {
      const path = eventOf(invocation);
      const client = await connect(invocation.terminal);
      const query = filtersOf(invocation, ['status', 'email']);
      const list = listAll(listRegistrations, { client, path, query });
      await printList(invocation, list, rowOfRegistration);
    },
  },
  {
    name: 'registrations get',
    summary: 'Read one registration.',
    words: ['registration id'],
    options: { event },
    notes: needsRead,
    async run(invocation) {
      const path = { ...eventOf(invocation), id: idOf(invocation) };
      const client = await connect(invocation.terminal);
      printRecord(invocation, await getRegistration({ client, path }));
    },
  },
  {
    name: 'orders list',
    summary: 'List the orders of an event.',
    options: { event, status, email, limit },
    notes: needsRead,
    async run(invocation) {
      const path = eventOf(invocation);
      const client = await connect(invocation.terminal);
      const query = filtersOf(invocation, ['status', 'email']);
      await printList(invocation, listAll(listOrders, { client, path, query }), rowOfOrder);
    },
  },
  {
    name: 'orders get',
    summary: 'Read one order, by its id or number.',
    words: ['order'],
    options: { event },
    notes: needsRead,
    async run(invocation) {
      const path = { ...eventOf(invocation), orderId: idOf(invocation) };
      const client = await connect(invocation.terminal);
      printRecord(invocation, await getOrder({ client, path }));
    },
  },
];

const rowOfEvent = ({ id, status, startsAt, name }: Event) => [id, status, startsAt ?? '–', name];
const rowOfRegistration = ({ id, status, email, name }: Registration) => [
  ...[id, status, email],
  name ?? '–',
];
const rowOfOrder = (order: Order) => {
  const { orderNumber, status, totalAmount, currency, email } = order;
  return [orderNumber, status, formatMoney(totalAmount, currency), email];
};

const idOf = ({ words }: Invocation): string => words[0] ?? '';

function eventOf({ text }: Invocation): { eventId: string } {
  const eventId = text('event');
  if (!eventId) throw new UsageError('--event <event id> is required');
  return { eventId };
}

/** The filters that are set. The API validates their values. */
function filtersOf<Name extends string>(
  { text }: Invocation,
  names: readonly Name[],
): Record<Name, never> {
  const entries = names.map((name) => [name, text(name)]).filter(([, value]) => value);
  return Object.fromEntries(entries);
}

function readLimit({ text }: Invocation): number {
  const value = text('limit') ?? String(defaultLimit);
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError('--limit is a number from 1');
  return Number(value);
}

/** Prints rows as they arrive, and says so if there are more than the limit. */
async function printList<Item>(
  invocation: Invocation,
  list: AsyncIterable<Item>,
  rowOf: (item: Item) => readonly string[],
): Promise<void> {
  const { terminal, json } = invocation;
  const most = readLimit(invocation);
  let count = 0;
  for await (const item of list) {
    if (count++ === most) {
      terminal.note(`there are more than ${most}; --limit prints more`);
      return;
    }
    terminal.print(json ? JSON.stringify(item) : rowOf(item).join('  '));
  }
}

function printRecord({ terminal, json }: Invocation, record: object): void {
  terminal.print(json ? JSON.stringify(record) : JSON.stringify(record, null, 2));
}
