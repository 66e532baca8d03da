import {
  eventSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, scope, service, typeId, useRegistration } from '../context.ts';
import {
  changeEvent,
  changeType,
  createTestEvent,
  createTestTicketType,
  expireCode,
} from '../fixtures.ts';
import {
  addOwnerSnapshot,
  createTestPerk,
  deliverByType,
  register,
  succeeded,
  typeData,
} from '../projection-fixtures.ts';
import { codes } from './codes.ts';

let path: string;

useRegistration({ ticketType: { capacity: 10, allowWaitlist: true } });
beforeEach(() => {
  path = `/v1/events/${scope.eventId}/redemption-codes`;
});

const { createCode } = codes(() => ({ call, scope, typeId }));

async function expiredCode() {
  const code = await createCode();
  await expireCode(service.sql, code.id);
  return code;
}

const lookup = (code: string, at = path) => call('GET', `${at}/lookup?code=${code}`);

const price = (priceAmount: number) =>
  service.sql(
    'update registration.ticket_type_projection set price_amount = $2, is_public = false where id = $1',
    [typeId, priceAmount],
  );

describe('the lookup of a usable code', () => {
  test('returns the ticket type that it unlocks, hidden or not, with its seats and both prices', async () => {
    await price(9900);
    const { code } = await createCode({ discount: { type: 'percent', value: 15 }, maxUses: 5 });
    await register(call, scope, { registrationTypeId: typeId });
    await register(call, scope, { registrationTypeId: typeId, redemptionCode: code });
    expect(succeeded(await lookup(code))).toEqual({
      code,
      registrationType: {
        id: typeId,
        eventId: scope.eventId,
        name: 'Day pass',
        description: null,
        capacity: 10,
        capacityGroupId: null,
        allowWaitlist: true,
        isPublic: false,
        requiresApproval: false,
        status: 'open',
        opensAt: null,
        admissionOpensAt: null,
        admissionClosesAt: null,
        closesAt: null,
        priceAmount: 9900,
        taxRateId: null,
        minPerOrder: null,
        maxPerOrder: null,
        sortOrder: 0,
        counts: { confirmed: 2, waitlisted: 0 },
        availability: { capacity: 10, confirmed: 2, waitlisted: 0, held: 0, remaining: 8 },
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
      perks: [],
      priceAmount: 9900,
      discountedPriceAmount: 8415,
      currency: 'EUR',
      registrationId: null,
    });
  });

  test('ignores case and surrounding blanks and returns the code as created', async () => {
    const { code } = await createCode();
    for (const typed of [code.toLowerCase(), code.toUpperCase(), `%20${code}%20`]) {
      expect(succeeded(await lookup(typed)).code).toBe(code);
    }
  });

  test('returns the perks of the ticket type and those of the code, each once', async () => {
    const [both, type, own] = [
      await createTestPerk(service.sql, scope, 'Lunch'),
      await createTestPerk(service.sql, scope, 'Lounge'),
      await createTestPerk(service.sql, scope, 'Backstage'),
    ];
    await deliverByType(service.sql, typeId, [type, both]);
    const { id, code } = await createCode();
    const operator = await service.operator();
    for (const perkId of [own, both]) {
      const body = { ...scope, perkId, targetType: 'redemption_code', targetId: id };
      succeeded(await operator('POST', '/operator/perk.bind', { body }));
    }
    const byType = { type: 'registration_type', id: typeId };
    const byCode = { type: 'redemption_code', id };
    expect(succeeded(await lookup(code)).perks).toEqual([
      { id: both, name: 'Lunch', description: null, sources: [byType, byCode] },
      { id: type, name: 'Lounge', description: null, sources: [byType] },
      { id: own, name: 'Backstage', description: null, sources: [byCode] },
    ]);
  });

  test('fetches a perk that is missing in the projection, and omits it while the owner is unavailable', async () => {
    const late = newId('perk');
    await deliverByType(service.sql, typeId, [late]);
    const { code } = await createCode();
    service.owner.isUnavailable = true;
    expect(succeeded(await lookup(code)).perks).toEqual([]);
    service.owner.isUnavailable = false;
    addOwnerSnapshot(service.owner, scope, perkSnapshot.type, late, {
      name: 'Late',
      description: 'x',
    });
    expect(succeeded(await lookup(code)).perks).toMatchObject([{ id: late, name: 'Late' }]);
  });

  test.each(['draft', 'closed'] as const)(
    'is found with the status of a %s type',
    async (status) => {
      const { code } = await createCode(
        {},
        await createTestTicketType(service.sql, scope, { status }),
      );
      expect(succeeded(await lookup(code)).registrationType.status).toBe(status);
    },
  );

  test.each([
    [{ type: 'percent', value: 100 }, 999, 0],
    [{ type: 'amount', value: 1000 }, 999, 0],
    [{ type: 'percent', value: 50 }, 1, 0],
    [null, 999, 999],
  ])('with the discount %j reduces %i to %i', async (discount, priceAmount, discounted) => {
    await price(priceAmount);
    const { code } = await createCode({ discount });
    const body = succeeded(await lookup(code));
    expect([body.priceAmount, body.discountedPriceAmount]).toEqual([priceAmount, discounted]);
  });
});

describe('the lookup of a used code by the person who uses it', () => {
  const lookupAs = (code: string, email: string) =>
    call('GET', `${path}/lookup?code=${code}&email=${encodeURIComponent(email)}`);

  test.each([
    ['pending', { requiresApproval: true }],
    ['waitlisted', { capacity: 1 }],
    ['confirmed', { capacity: 2 }],
  ])('finds it: %s', async (status, fields) => {
    await changeType(service.sql, typeId, fields);
    if (status === 'waitlisted') await register(call, scope, { registrationTypeId: typeId });
    const { code, id } = await createCode({ maxUses: 1 });
    const person = await register(call, scope, {
      registrationTypeId: typeId,
      redemptionCode: code,
    });
    expect(person.status).toBe(status);
    const found = succeeded(await lookupAs(code, ` ${person.email.toUpperCase()}`));
    expect(found).toMatchObject({ code, registrationId: person.id });
    await call('POST', `${path}/${id}/disable`);
    expect(succeeded(await lookupAs(code, person.email)).registrationId).toBe(person.id);
    await call('POST', `/v1/events/${scope.eventId}/registrations/${person.id}/cancel`);
    expect((await lookupAs(code, person.email)).status).toBe(404);
  });

  test('is a 404 for anybody else, as for a code that does not exist', async () => {
    const { code } = await createCode({ maxUses: 1 });
    await register(call, scope, { registrationTypeId: typeId, redemptionCode: code });
    const other = await register(call, scope, { registrationTypeId: typeId });
    const responses = [
      await lookupAs('UNKNOWN', other.email),
      await lookupAs(code, other.email),
      await lookupAs(code, 'nobody@example.com'),
      await lookupAs(code, '\0'),
      await lookupAs(code, ''),
      await lookup(code),
    ];
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('says of a code with uses left whether the person uses it', async () => {
    const { code } = await createCode({ maxUses: 5 });
    const person = await register(call, scope, {
      registrationTypeId: typeId,
      redemptionCode: code,
    });
    expect(succeeded(await lookupAs(code, person.email)).registrationId).toBe(person.id);
    expect(succeeded(await lookupAs(code, 'nobody@example.com')).registrationId).toBeNull();
  });
});

describe('the lookup of an unusable code', () => {
  test('responds with an identical 404 for any reason', async () => {
    const disabled = await createCode();
    await call('POST', `${path}/${disabled.id}/disable`);
    const expired = await expiredCode();
    const used = await createCode({ maxUses: 1 });
    await register(call, scope, { registrationTypeId: typeId, redemptionCode: used.code });
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const elsewhere = await createCode();
    const stranger = await service.as(newId('unit'));
    const archivedType = await createTestTicketType(service.sql, scope);
    const ofArchivedType = await createCode({}, archivedType);
    await changeType(service.sql, archivedType, { status: 'archived' });
    const ended = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const endedPath = `/v1/events/${ended.eventId}/redemption-codes`;
    const body = {
      registrationTypeId: await createTestTicketType(service.sql, ended),
      code: 'ENDED',
    };
    succeeded(await call('POST', endedPath, { body }), 201);
    await changeEvent(service.sql, ended, 'archived');
    const responses = await Promise.all([
      lookup('UNKNOWN'),
      lookup(disabled.code),
      lookup(expired.code),
      lookup(used.code),
      lookup(elsewhere.code, `/v1/events/${other.eventId}/redemption-codes`),
      lookup(ofArchivedType.code),
      lookup('ENDED', endedPath),
      lookup(''),
      lookup('%00'),
      lookup(`${used.code}%00`),
      lookup('%ed%a0%80'),
      lookup('two%20words'),
      lookup("'%20or%20true--"),
      lookup('x'.repeat(5000)),
      lookup('%F0%9F%8E%AB'),
      call('GET', `${path}/lookup`),
      stranger('GET', `${path}/lookup?code=${elsewhere.code}`),
    ]);
    const comparable = responses.map(
      ({ status, body, headers: { date, 'request-id': id, ...headers } }) =>
        JSON.stringify({ status, body, headers }),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(new Set(comparable).size).toBe(1);
    expect((await lookup(elsewhere.code)).status).toBe(200);
  });

  test('runs the same statements as for an unknown one', async () => {
    const disabled = await createCode();
    await call('POST', `${path}/${disabled.id}/disable`);
    const expired = await expiredCode();
    const { db } = service.replica(0);
    const statementsOf = async (code: string) => {
      const names: string[] = [];
      const query = db.query;
      db.query = (statement, values) => {
        names.push(statement.name);
        return query(statement, values);
      };
      await lookup(code).finally(() => {
        db.query = query;
      });
      return names;
    };
    const unknown = await statementsOf('UNKNOWN');
    expect(unknown.length).toBeGreaterThan(1);
    for (const code of [disabled.code, expired.code, '%00', '']) {
      expect(await statementsOf(code)).toEqual(unknown);
    }
  });

  test('is rejected for an archived type or event only after a refresh from the owner', async () => {
    const { code } = await createCode();
    await changeType(service.sql, typeId, { status: 'archived' });
    await changeEvent(service.sql, scope, 'archived');
    service.owner.isUnavailable = true;
    expect((await lookup(code)).status).toBe(503);
    service.owner.isUnavailable = false;
    expect((await lookup(code)).status).toBe(404);
    const open = typeData({ capacity: 10 });
    addOwnerSnapshot(service.owner, scope, ticketTypeSnapshot.type, typeId, open);
    expect((await lookup(code)).status).toBe(404);
    const event = {
      name: 'Summit',
      status: 'published',
      endsAt: null,
      currency: 'EUR',
      form: null,
    };
    addOwnerSnapshot(service.owner, scope, eventSnapshot.type, scope.eventId, event);
    expect(succeeded(await lookup(code)).registrationType.status).toBe('open');
  });

  test('succeeds again after a use was released', async () => {
    const { code } = await createCode({ maxUses: 1 });
    const { id } = await register(call, scope, {
      registrationTypeId: typeId,
      redemptionCode: code,
    });
    expect((await lookup(code)).status).toBe(404);
    await call('POST', `/v1/events/${scope.eventId}/registrations/${id}/cancel`);
    expect((await lookup(code)).status).toBe(200);
  });
});
