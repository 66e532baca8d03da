import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { newId } from '@event-api/platform/ids';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  amountCases,
  capacityCases,
  descriptionCases,
  type FieldCases,
  flagCases,
  instantCases,
  nameCases,
  sortOrderCases,
} from './field-cases.ts';
import {
  type EventBody,
  givenEvent,
  givenTicketType,
  givenTicketTypeIn,
  pathOf,
  succeeded,
} from './given.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: Client;
let event: EventBody;

beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(newId('unit'));
  event = await givenEvent(call);
});
afterAll(() => catalog?.close());

type Ids = { id: string; eventId: string };
const patch = (ticketType: Ids, body: unknown) => call('PATCH', pathOf(ticketType), { body });
const read = async (ticketType: Ids) => succeeded(await call('GET', pathOf(ticketType)));

const full = {
  description: 'With lunch',
  capacity: 20,
  allowWaitlist: true,
  isPublic: false,
  requiresApproval: true,
  opensAt: '2027-01-01T00:00:00.000Z',
  closesAt: '2027-05-01T00:00:00.000Z',
  priceAmount: 12_900,
  sortOrder: 7,
};

const fields: Record<string, FieldCases> = {
  name: nameCases,
  description: descriptionCases,
  capacity: capacityCases,
  allowWaitlist: flagCases,
  isPublic: flagCases,
  requiresApproval: flagCases,
  opensAt: instantCases,
  closesAt: instantCases,
  priceAmount: amountCases,
  sortOrder: sortOrderCases,
};

describe.each(Object.entries(fields))('%s', (field, { good, bad }) => {
  it.each(good)('takes %s', async (_what, sent, stored) => {
    const made = await givenTicketType(call, event, { ...full, opensAt: null, closesAt: null });
    const changed = { ...made, [field]: stored };
    expect(succeeded(await patch(made, { [field]: sent }))).toEqual(changed);
    expect(await read(made)).toEqual(changed);
  });

  it.each(bad)('refuses %s with 400', async (_what, sent, code) => {
    const made = await givenTicketType(call, event);
    const { status, body } = await patch(made, { [field]: sent });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: expect.any(String), code }]);
    expect(await read(made)).toEqual(made);
  });
});

describe('200', () => {
  it('clears with null what may be null, and only that', async () => {
    const made = await givenTicketType(call, event, full);
    const cleared = { description: null, capacity: null, opensAt: null, closesAt: null };
    expect(succeeded(await patch(made, cleared))).toEqual({ ...made, ...cleared });
    expect(await read(made)).toEqual({ ...made, ...cleared });
  });

  it.each([
    ['nothing', () => ({})],
    ['only read-only fields', () => ({ id: 'tt_x', counts: null, eventId: 5 })],
    ['the ticket type itself', (made: object) => made],
    ['the same instant in another offset', () => ({ opensAt: '2027-01-01T09:00:00+09:00' })],
    ['the same name between blanks', () => ({ name: ' Early bird ' })],
  ])('changes and writes nothing when it brings %s', async (_what, sent) => {
    const made = await givenTicketType(call, event, full);
    const row = 'select xmin::text, * from catalog.ticket_type where id = $1';
    const before = await catalog.sql(row, [made.id]);
    expect(succeeded(await patch(made, sent(made)))).toEqual(made);
    expect(await catalog.sql(row, [made.id])).toEqual(before);
    succeeded(await patch(made, { sortOrder: 8 }));
    expect(await catalog.sql(row, [made.id])).not.toEqual(before);
  });
});

const allowed = [
  'draft > open',
  'draft > archived',
  'open > closed',
  'open > archived',
  'closed > open',
  'closed > archived',
];
const pairs = saleStatuses.flatMap((from) => saleStatuses.map((to) => [from, to] as const));

describe('the lifecycle', () => {
  it.each(pairs)('from %s to %s', async (from, to) => {
    const made = await givenTicketTypeIn(call, event, from);
    const { status, body } = await patch(made, { status: to });
    if (from === to || allowed.includes(`${from} > ${to}`)) {
      expect([status, body]).toEqual([200, { ...made, status: to }]);
    } else {
      expect(status).toBe(400);
      expect(body.error.details).toEqual([
        {
          field: 'status',
          issue: `cannot change from ${from} to ${to}`,
          code: 'invalid_transition',
        },
      ]);
      expect(await read(made)).toEqual(made);
    }
  });

  it.each(['published', 'OPEN', '', null, 1])('knows no status %j', async (status) => {
    const answer = await patch(await givenTicketType(call, event), { status });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toMatchObject([{ field: 'status', code: 'invalid_value' }]);
  });
});

describe('the sale window', () => {
  it.each([
    ['the end alone', { closesAt: '2026-12-31T23:59:59Z' }, 400],
    ['the end to the beginning', { closesAt: '2027-01-01T00:00:00Z' }, 400],
    ['the end to just after the beginning', { closesAt: '2027-01-01T00:00:00.001Z' }, 200],
    ['the beginning alone', { opensAt: '2027-05-01T00:00:00Z' }, 400],
    [
      'the beginning away, the end before',
      { opensAt: null, closesAt: '2026-01-01T00:00:00Z' },
      200,
    ],
  ])('is judged as it will be: moving %s', async (_what, sent, expected) => {
    const made = await givenTicketType(call, event, full);
    const { status, body } = await patch(made, sent);
    expect(status).toBe(expected);
    if (expected === 400) {
      expect(body.error.details).toEqual([
        { field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' },
      ]);
      expect(await read(made)).toEqual(made);
    }
  });
});

describe('in an archived event', () => {
  it('a change is a 400, and what changes nothing a 200', async () => {
    const ending = await givenEvent(call);
    const made = await givenTicketType(call, ending, full);
    succeeded(await call('POST', `${pathOf(ending)}/archive`));
    for (const sent of [{ name: 'x' }, { status: 'open' }, { capacity: null }]) {
      const { status, body } = await patch(made, sent);
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: 'eventId', code: 'invalid_transition' }]);
    }
    expect(succeeded(await patch(made, {}))).toEqual(made);
    expect(succeeded(await patch(made, { capacity: 20, status: 'draft' }))).toEqual(made);
    expect(await read(made)).toEqual(made);
  });
});

describe('an archived ticket type', () => {
  it('rejects a change with the names of the fields, and accepts what changes nothing', async () => {
    const made = await givenTicketTypeIn(call, event, 'archived');
    const { status, body } = await patch(made, { name: 'Gone', sortOrder: 3, capacity: null });
    expect(status).toBe(400);
    expect(body.error.details).toEqual(
      ['name', 'sortOrder'].map((field) => ({
        field,
        issue: 'cannot change, because the ticket type is archived',
        code: 'invalid_transition',
      })),
    );
    expect(succeeded(await patch(made, {}))).toEqual(made);
    expect(succeeded(await patch(made, { status: 'archived', name: made.name }))).toEqual(made);
    expect(await read(made)).toEqual(made);
  });

  it('may change in the update that archives it', async () => {
    const made = await givenTicketTypeIn(call, event, 'closed');
    const changed = succeeded(await patch(made, { status: 'archived', name: 'Last' }));
    expect(changed).toEqual({ ...made, status: 'archived', name: 'Last' });
  });
});
