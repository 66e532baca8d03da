import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, catalog, useCatalog } from './context.ts';
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
  createTestEvent,
  createTestTicketType,
  createTestTicketTypeInStatus,
  type EventBody,
  pathOf,
  succeeded,
  updated,
} from './fixtures.ts';

let event: EventBody;

useCatalog();
beforeAll(async () => {
  event = await createTestEvent(call);
});

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
  test.each(good)('takes %s', async (_what, sent, stored) => {
    const created = await createTestTicketType(call, event, {
      ...full,
      opensAt: null,
      closesAt: null,
    });
    const changed = updated(created, { [field]: stored });
    expect(succeeded(await patch(created, { [field]: sent }))).toEqual(changed);
    expect(await read(created)).toEqual(changed);
  });

  test.each(bad)('refuses %s with 400', async (_what, sent, code) => {
    const created = await createTestTicketType(call, event);
    const { status, body } = await patch(created, { [field]: sent });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: expect.any(String), code }]);
    expect(await read(created)).toEqual(created);
  });
});

type TicketType = Awaited<ReturnType<typeof createTestTicketType>>;

test('refuses other read-only fields with 400', async () => {
  const created = await createTestTicketType(call, event);
  const { status, body } = await patch(created, { id: 'tt_x', createdAt: null, eventId: 5 });
  expect(status).toBe(400);
  const issue = 'cannot be set here; the platform sets it';
  expect(body.error.details).toEqual(
    ['id', 'createdAt', 'eventId'].map((field) => ({ field, issue, code: 'read_only_field' })),
  );
});

describe('200', () => {
  test('clears nullable fields with null, and rejects null for others', async () => {
    const created = await createTestTicketType(call, event, full);
    const cleared = { description: null, capacity: null, opensAt: null, closesAt: null };
    const changed = updated(created, cleared);
    expect(succeeded(await patch(created, cleared))).toEqual(changed);
    expect(await read(created)).toEqual(changed);
  });

  test.each([
    ['nothing', () => ({})],
    ['only read-only fields', ({ id, counts, eventId }: TicketType) => ({ id, counts, eventId })],
    ['the ticket type itself', (created: TicketType) => created],
    ['the same instant in another offset', () => ({ opensAt: '2027-01-01T09:00:00+09:00' })],
    ['the same name between blanks', () => ({ name: ' Early bird ' })],
  ])('changes and writes nothing for %s', async (_what, sent) => {
    const created = await createTestTicketType(call, event, full);
    const row = 'select xmin::text, * from catalog.ticket_type where id = $1';
    const before = await catalog.sql(row, [created.id]);
    expect(succeeded(await patch(created, sent(created)))).toEqual(created);
    expect(await catalog.sql(row, [created.id])).toEqual(before);
    succeeded(await patch(created, { sortOrder: 8 }));
    expect(await catalog.sql(row, [created.id])).not.toEqual(before);
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
  test.each(pairs)('from %s to %s', async (from, to) => {
    const created = await createTestTicketTypeInStatus(call, event, from);
    const { status, body } = await patch(created, { status: to });
    if (from === to || allowed.includes(`${from} > ${to}`)) {
      expect([status, body]).toEqual([200, { ...created, status: to }]);
    } else {
      expect(status).toBe(400);
      expect(body.error.details).toEqual([
        {
          field: 'status',
          issue: `cannot change from ${from} to ${to}`,
          code: 'invalid_transition',
        },
      ]);
      expect(await read(created)).toEqual(created);
    }
  });

  test.each(['published', 'OPEN', '', null, 1])('rejects the unknown status %j', async (status) => {
    const response = await patch(await createTestTicketType(call, event), { status });
    expect(response.status).toBe(400);
    expect(response.body.error.details).toMatchObject([{ field: 'status', code: 'invalid_value' }]);
  });
});

describe('the sale window', () => {
  test.each([
    ['the end alone', { closesAt: '2026-12-31T23:59:59Z' }, 400],
    ['the end to the beginning', { closesAt: '2027-01-01T00:00:00Z' }, 400],
    ['the end to just after the beginning', { closesAt: '2027-01-01T00:00:00.001Z' }, 200],
    ['the beginning alone', { opensAt: '2027-05-01T00:00:00Z' }, 400],
    [
      'the beginning away, the end before',
      { opensAt: null, closesAt: '2026-01-01T00:00:00Z' },
      200,
    ],
  ])('is validated as after the update: moving %s', async (_what, sent, expected) => {
    const created = await createTestTicketType(call, event, full);
    const { status, body } = await patch(created, sent);
    expect(status).toBe(expected);
    if (expected === 400) {
      expect(body.error.details).toEqual([
        { field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' },
      ]);
      expect(await read(created)).toEqual(created);
    }
  });
});

describe('in an archived event', () => {
  test('returns 400 for a change, and 200 for a patch without changes', async () => {
    const ending = await createTestEvent(call);
    const created = await createTestTicketType(call, ending, full);
    succeeded(await call('POST', `${pathOf(ending)}/archive`));
    for (const sent of [{ name: 'x' }, { status: 'open' }, { capacity: null }]) {
      const { status, body } = await patch(created, sent);
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: 'eventId', code: 'invalid_transition' }]);
    }
    expect(succeeded(await patch(created, {}))).toEqual(created);
    expect(succeeded(await patch(created, { capacity: 20, status: 'draft' }))).toEqual(created);
    expect(await read(created)).toEqual(created);
  });
});

describe('an archived ticket type', () => {
  test('rejects a change with the names of the fields, and accepts a patch without changes', async () => {
    const created = await createTestTicketTypeInStatus(call, event, 'archived');
    const { status, body } = await patch(created, { name: 'Gone', sortOrder: 3, capacity: null });
    expect(status).toBe(400);
    expect(body.error.details).toEqual(
      ['name', 'sortOrder'].map((field) => ({
        field,
        issue: 'cannot change, because the ticket type is archived',
        code: 'invalid_transition',
      })),
    );
    expect(succeeded(await patch(created, {}))).toEqual(created);
    expect(succeeded(await patch(created, { status: 'archived', name: created.name }))).toEqual(
      created,
    );
    expect(await read(created)).toEqual(created);
  });

  test('accepts changes in the update that archives it', async () => {
    const created = await createTestTicketTypeInStatus(call, event, 'closed');
    const changed = succeeded(await patch(created, { status: 'archived', name: 'Last' }));
    expect(changed).toEqual({ ...created, status: 'archived', name: 'Last' });
  });
});
