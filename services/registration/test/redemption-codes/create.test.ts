import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { addOwnerSnapshot, errorSummary, succeeded, typeData } from '../projection-fixtures.ts';

let path: string;

useRegistration({ replicas: 2 });
beforeEach(() => {
  path = `/v1/events/${scope.eventId}/redemption-codes`;
});

const create = (fields: object = {}) =>
  call('POST', path, { body: { registrationTypeId: typeId, ...fields } });

const createCodes = async (fields: object = {}) =>
  succeeded(await create(fields), 201).redemptionCodes;

const listed = async (query = '') => succeeded(await call('GET', `${path}${query}`));

describe('a code', () => {
  test('has ten random letters and one use by default', async () => {
    const response = await create();
    expect(succeeded(response, 201)).toEqual({
      redemptionCodes: [
        {
          id: expect.stringMatching(/^code_[0-9a-z]{26}$/),
          eventId: scope.eventId,
          registrationTypeId: typeId,
          code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
          label: null,
          maxUses: 1,
          uses: 0,
          expiresAt: null,
          status: 'active',
          discount: null,
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test('is created with the fields of the request', async () => {
    const wanted = {
      code: 'Friends_of-10',
      label: 'Friends',
      maxUses: null,
      expiresAt: '2027-05-10T09:00:00+02:00',
      discount: { type: 'amount', value: 1500 },
    };
    const [code] = await createCodes(wanted);
    expect(code).toMatchObject({ ...wanted, expiresAt: '2027-05-10T07:00:00.000Z' });
    expect((await listed()).redemptionCodes).toEqual([code]);
  });

  test.each([
    ['code', 'x'],
    ['code', 'x'.repeat(64)],
    ['code', ' AbC-_9 '],
    ['label', ''],
    ['label', 'é'.repeat(200)],
    ['label', null],
    ['maxUses', 1],
    ['maxUses', 1_000_000],
    ['maxUses', null],
    ['expiresAt', null],
    ['expiresAt', '2999-12-31T23:59:59.999Z'],
    ['discount', null],
    ['discount', { type: 'percent', value: 1 }],
    ['discount', { type: 'percent', value: 100 }],
    ['discount', { type: 'amount', value: 1 }],
    ['discount', { type: 'amount', value: 100_000_000 }],
  ])('accepts %s %j', async (field, value) => {
    const [code] = await createCodes({ [field]: value });
    const expected = typeof value === 'string' ? value.trim() : value;
    if (field === 'expiresAt' && value)
      expect(code[field]).toBe(new Date(value as string).toISOString());
    else expect(code[field]).toEqual(expected);
  });

  test.each([
    ['registrationTypeId', undefined, 'registrationTypeId'],
    ['registrationTypeId', 7, 'registrationTypeId'],
    ['registrationTypeId', 'tt\0', 'registrationTypeId'],
    ['count', 0, 'count'],
    ['count', 1001, 'count'],
    ['count', 1.5, 'count'],
    ['count', '1', 'count'],
    ['code', '', 'code'],
    ['code', '  ', 'code'],
    ['code', 'x'.repeat(65), 'code'],
    ['code', 'two words', 'code'],
    ['code', 'é', 'code'],
    ['code', 'x\0', 'code'],
    ['label', 'x'.repeat(201), 'label'],
    ['label', '\ud800', 'label'],
    ['label', 5, 'label'],
    ['maxUses', 0, 'maxUses'],
    ['maxUses', 1_000_001, 'maxUses'],
    ['maxUses', 2.5, 'maxUses'],
    ['maxUses', '2', 'maxUses'],
    ['expiresAt', 'tomorrow', 'expiresAt'],
    ['expiresAt', '2027-05-10T09:00:00', 'expiresAt'],
    ['expiresAt', '3000-01-01T00:00:00Z', 'expiresAt'],
    ['expiresAt', '1970-01-01T00:00:00Z', 'expiresAt'],
    ['discount', 'half', 'discount'],
    ['discount', { type: 'gift', value: 1 }, 'discount.type'],
    ['discount', { type: 'percent', value: 0 }, 'discount.value'],
    ['discount', { type: 'percent', value: 101 }, 'discount.value'],
    ['discount', { type: 'percent', value: 12.5 }, 'discount.value'],
    ['discount', { type: 'amount', value: 0 }, 'discount.value'],
    ['discount', { type: 'amount', value: 100_000_001 }, 'discount.value'],
    ['discount', { type: 'amount' }, 'discount.value'],
  ])('rejects %s %j with 400', async (field, value, expected) => {
    expect(errorSummary(await create({ [field]: value }))).toEqual([400, expected]);
    expect((await listed()).redemptionCodes).toEqual([]);
  });

  test.each([1, 2, 1000])(
    'with a custom code is created once, with a count of %i',
    async (count) => {
      const code = `MINE-${count}`;
      expect(await createCodes({ code, count })).toMatchObject([{ code }]);
      expect((await listed()).redemptionCodes).toHaveLength(1);
    },
  );

  test.each([0, 1001, 1.5, '2'])(
    'with a custom code still validates the count %j',
    async (count) => {
      expect(errorSummary(await create({ code: 'MINE', count }))).toEqual([400, 'count']);
      expect((await listed()).redemptionCodes).toEqual([]);
    },
  );

  test('can be read at the Location of its response', async () => {
    for (const fields of [{}, { count: 1 }, { code: 'ONE', count: 3 }]) {
      const { headers, body } = await create(fields);
      const [code] = body.redemptionCodes;
      expect(headers.location).toBe(`${path}/${code.id}`);
      expect(succeeded(await call('GET', String(headers.location)))).toEqual(code);
    }
  });

  test('is rejected with 400 and not created if it would already be expired', async () => {
    const response = await create({ expiresAt: '2020-01-01T00:00:00Z' });
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ field: 'expiresAt', issue: 'must be in the future', code: 'invalid_value' }],
    ]);
    expect((await listed()).redemptionCodes).toEqual([]);
  });

  test('is rejected with 409 if it exists in the event in any case of its letters', async () => {
    await createCodes({ code: 'Summer-27' });
    for (const code of ['Summer-27', 'SUMMER-27', 'summer-27', ' sUmMeR-27 ']) {
      const rejected = await create({ code });
      expect(rejected).toMatchObject({
        status: 409,
        body: { error: { status: 'ALREADY_EXISTS', details: [{ field: 'code' }] } },
      });
    }
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const otherType = await createTestTicketType(service.sql, other);
    const body = { registrationTypeId: otherType, code: 'Summer-27' };
    const elsewhere = await call('POST', `/v1/events/${other.eventId}/redemption-codes`, { body });
    expect(elsewhere.status).toBe(201);
  });

  test('is created once by concurrent requests', async () => {
    const calls = [call, await service.as(scope.businessUnitId, 1)];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const body = { registrationTypeId: typeId, code: n % 4 < 2 ? 'RUSH' : 'rush' };
        return untilDecided(() => (calls[n % 2] as HttpClient)('POST', path, { body }));
      }),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  });
});

describe('a batch', () => {
  test('of 1000 has 1000 distinct codes, written by one statement', async () => {
    await service.sql(`create table if not exists statements (codes int);
      create or replace function note_statement() returns trigger language plpgsql as $$
        begin insert into statements select count(*) from inserted; return null; end $$;
      create or replace trigger noted after insert on registration.redemption_code
        referencing new table as inserted for each statement execute function note_statement()`);
    const codes = await createCodes({ count: 1000, label: 'Partners', maxUses: 3 });
    expect(await service.sql('select codes from statements')).toEqual([{ codes: 1000 }]);
    await service.sql('drop trigger noted on registration.redemption_code');
    expect(new Set(codes.map(({ code }: { code: string }) => code)).size).toBe(1000);
    const same = { label: 'Partners', maxUses: 3, uses: 0, registrationTypeId: typeId };
    for (const code of codes) expect(code).toMatchObject(same);
    const [row] = await service.sql<{ n: string }>(
      'select count(*) as n from registration.redemption_code where event_id = $1',
      [scope.eventId],
    );
    expect(Number(row?.n)).toBe(1000);
  });

  test('of at least two has codes of ten letters each and no Location', async () => {
    const response = await create({ count: 2 });
    expect(response.headers.location).toBeUndefined();
    const codes = succeeded(response, 201).redemptionCodes;
    for (const { code } of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(codes[0].code).not.toBe(codes[1].code);
  });
});

describe('the ticket type of a code', () => {
  test('is rejected with 404 if it is not a type of the event', async () => {
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const foreign = await createTestEvent(service.sql);
    const ids = [
      'nothing',
      newId('tt'),
      await createTestTicketType(service.sql, other),
      await createTestTicketType(service.sql, foreign),
    ];
    const responses = await Promise.all(ids.map((id) => create({ registrationTypeId: id })));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(responses[0]?.body.error.details).toMatchObject([
      { field: 'registrationTypeId', code: 'not_found' },
    ]);
  });

  test('is fetched from its owner before a 404', async () => {
    const late = newId('tt');
    expect((await create({ registrationTypeId: late })).status).toBe(404);
    addOwnerSnapshot(service.owner, scope, ticketTypeSnapshot.type, late, typeData());
    expect(await createCodes({ registrationTypeId: late })).toMatchObject([
      { registrationTypeId: late },
    ]);
  });

  test('may be a draft or closed', async () => {
    for (const status of ['draft', 'closed'] as const) {
      const id = await createTestTicketType(service.sql, scope, { status });
      expect((await create({ registrationTypeId: id })).status).toBe(201);
    }
  });

  test('is rejected with 412 if it is archived, after the check for an archived event', async () => {
    const archived = await createTestTicketType(service.sql, scope, { status: 'archived' });
    const response = await create({ registrationTypeId: archived });
    expect(errorSummary(response)).toEqual([412, 'TICKET_TYPE_ARCHIVED']);
    expect((await listed()).redemptionCodes).toEqual([]);
    await changeEvent(service.sql, scope, 'archived');
    const later = await create({ registrationTypeId: archived });
    expect(errorSummary(later)).toEqual([412, 'EVENT_ARCHIVED']);
  });

  test('is rejected as archived only after a refresh from its owner', async () => {
    const archived = await createTestTicketType(service.sql, scope, { status: 'archived' });
    service.owner.isUnavailable = true;
    expect((await create({ registrationTypeId: archived })).status).toBe(503);
    service.owner.isUnavailable = false;
    addOwnerSnapshot(service.owner, scope, ticketTypeSnapshot.type, archived, typeData());
    expect((await create({ registrationTypeId: archived })).status).toBe(201);
  });

  test('is rejected with 412 in an archived event, but with 404 if it is unknown', async () => {
    await createCodes({ code: 'BEFORE' });
    await changeEvent(service.sql, scope, 'archived');
    expect(errorSummary(await create())).toEqual([412, 'EVENT_ARCHIVED']);
    expect(errorSummary(await create({ code: 'BEFORE' }))).toEqual([412, 'EVENT_ARCHIVED']);
    expect((await create({ registrationTypeId: newId('tt') })).status).toBe(404);
    expect((await listed()).redemptionCodes).toHaveLength(1);
  });

  test('is rejected for an archived event only after a refresh; 503 while the owner is unavailable', async () => {
    await changeEvent(service.sql, scope, 'archived');
    addOwnerSnapshot(service.owner, scope, eventSnapshot.type, scope.eventId, {
      name: 'Summit',
      status: 'published',
      endsAt: null,
      currency: 'EUR',
      form: null,
    });
    expect((await create()).status).toBe(201);
    service.owner.isUnavailable = true;
    try {
      expect((await create({ registrationTypeId: newId('tt') })).status).toBe(503);
      expect((await create()).status).toBe(201);
    } finally {
      service.owner.isUnavailable = false;
    }
  });
});
