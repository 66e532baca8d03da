import { newId } from '@event-api/platform/core/ids';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, catalog, unit, useCatalog } from './context.ts';
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
  createTestEventInStatus,
  createTestTicketType,
  type EventBody,
  pathOf,
  succeeded,
} from './fixtures.ts';

let event: EventBody;

useCatalog();
beforeAll(async () => {
  event = await createTestEvent(call);
});

const create = (body: unknown, of: { id: string } = event) =>
  call('POST', `${pathOf(of)}/ticket-types`, { body });

describe('201', () => {
  test('returns every field with its default, and the Location of the ticket type', async () => {
    const { status, body, headers } = await create({ name: 'Early bird' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^tt_[0-9a-hjkmnp-tv-z]{26}$/),
      eventId: event.id,
      name: 'Early bird',
      description: null,
      capacity: null,
      capacityGroupId: null,
      allowWaitlist: false,
      isPublic: true,
      requiresApproval: false,
      status: 'draft',
      opensAt: null,
      admissionOpensAt: null,
      admissionClosesAt: null,
      closesAt: null,
      priceAmount: 0,
      taxRateId: null,
      minPerOrder: null,
      maxPerOrder: null,
      sortOrder: 0,
      counts: { confirmed: 0, waitlisted: 0 },
      availability: { capacity: null, confirmed: 0, waitlisted: 0, held: 0, remaining: null },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(headers.location).toBe(`/v1/events/${event.id}/ticket-types/${body.id}`);
    expect(succeeded(await call('GET', headers.location ?? ''))).toEqual(body);
  });

  test('stores every sent field', async () => {
    const sent = {
      name: 'VIP',
      description: 'With lunch',
      capacity: 20,
      allowWaitlist: true,
      isPublic: false,
      requiresApproval: true,
      opensAt: '2027-01-01T00:00:00.000Z',
      closesAt: '2027-05-01T00:00:00.000Z',
      priceAmount: 12_900,
      minPerOrder: 2,
      maxPerOrder: 4,
      sortOrder: 7,
    };
    expect(await createTestTicketType(call, event, sent)).toMatchObject(sent);
  });

  test('stores the ticket type in the business unit of the caller', async () => {
    const { id } = await createTestTicketType(call, event);
    const sql = 'select business_unit_id, event_id from catalog.ticket_type where id = $1';
    expect(await catalog.sql(sql, [id])).toEqual([{ business_unit_id: unit, event_id: event.id }]);
  });

  test('takes the other fields of a new ticket type', async () => {
    const counts = { confirmed: 0, waitlisted: 0 };
    const fields = { eventId: event.id, status: 'draft', counts };
    expect(await createTestTicketType(call, event, fields)).toMatchObject(fields);
  });

  test.each(['nonsense', null, 'open'])(
    'rejects fields that the request cannot set, such as the status %j',
    async (status) => {
      const counts = { confirmed: 5, waitlisted: 5 };
      const sent = { id: 'tt_mine', eventId: newId('evt'), status, counts, createdAt: 5 };
      const path = `/v1/events/${event.id}/ticket-types`;
      const response = await call('POST', path, { body: { name: 'VIP', ...sent } });
      expect(response.status).toBe(400);
      const { details } = response.body.error;
      expect(details).toMatchObject(
        Object.keys(sent).map((field) => ({ field, code: 'read_only_field' })),
      );
      expect(details[2].issue).toBe('cannot be set here; `updateTicketType` sets it');
    },
  );

  test.each(['draft', 'published'] as const)('is possible in a %s event', async (status) => {
    await createTestTicketType(call, await createTestEventInStatus(call, status));
  });
});

const fields: Record<string, FieldCases> = {
  name: nameCases,
  description: descriptionCases,
  capacity: capacityCases,
  allowWaitlist: flagCases,
  isPublic: flagCases,
  requiresApproval: flagCases,
  opensAt: instantCases,
  closesAt: instantCases,
  admissionOpensAt: instantCases,
  admissionClosesAt: instantCases,
  priceAmount: amountCases,
  sortOrder: sortOrderCases,
};

describe.each(Object.entries(fields))('%s', (field, { good, bad }) => {
  test.each(good)('accepts %s', async (_what, sent, stored) => {
    const created = await createTestTicketType(call, event, { [field]: sent });
    expect(created).toHaveProperty(field, stored);
    expect(succeeded(await call('GET', pathOf(created)))).toEqual(created);
  });

  test.each(bad)('rejects %s with 400', async (_what, sent, code) => {
    const { status, body } = await create({ name: 'VIP', [field]: sent });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, issue: expect.any(String), code }]);
  });
});

describe('400', () => {
  test('without a name', async () => {
    const { status, body } = await create({});
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'name', issue: 'is required', code: 'required' }]);
  });

  test('reports all validation errors at once and creates nothing', async () => {
    const fresh = await createTestEvent(call);
    const wrong = Object.fromEntries(Object.keys(fields).map((field) => [field, {}]));
    const { status, body } = await create(wrong, fresh);
    expect(status).toBe(400);
    const named = body.error.details.map(({ field }: { field: string }) => field);
    expect(named.toSorted()).toEqual(Object.keys(fields).toSorted());
    expect(body.error.message).toBe(`${named[0]} ${body.error.details[0].issue}`);
    const list = succeeded<object>(await call('GET', `${pathOf(fresh)}/ticket-types`));
    expect(list).toEqual({ ticketTypes: [], nextCursor: null });
  });

  test.each([
    ['before it opens', '2027-05-10T08:59:59+02:00'],
    ['as it opens, in another offset', '2027-05-10T07:00:00Z'],
  ])('when its sale or its admission closes %s', async (_what, closesAt) => {
    const opensAt = '2027-05-10T09:00:00+02:00';
    const dates = { opensAt, closesAt, admissionOpensAt: opensAt, admissionClosesAt: closesAt };
    const { status, body } = await create({ name: 'VIP', ...dates });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' },
      ...[
        {
          field: 'admissionClosesAt',
          issue: 'must be after admissionOpensAt',
          code: 'invalid_value',
        },
      ],
    ]);
  });
});

describe('412 EVENT_ARCHIVED', () => {
  test('when the event is archived; an invalid body still returns 400', async () => {
    const archived = await createTestEventInStatus(call, 'archived');
    const { status, body } = await create({ name: 'VIP' }, archived);
    expect(status).toBe(412);
    expect(body.error.details).toEqual([{ reason: 'EVENT_ARCHIVED' }]);
    expect((await create({ name: '' }, archived)).status).toBe(400);
    const sql = 'select count(*)::int as count from catalog.ticket_type where event_id = $1';
    expect(await catalog.sql(sql, [archived.id])).toEqual([{ count: 0 }]);
  });
});
