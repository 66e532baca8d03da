import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  eventSnapshot,
  perkSnapshot,
  ticketTypeSnapshot,
} from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/ids';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeEvent, changeType, expireCode, givenEvent, givenType } from '../given.ts';
import {
  deliverByType,
  givenPerk,
  ownerHas,
  register,
  succeeded,
  typeData,
} from '../given-copies.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { codes } from './codes.ts';

let service: TestRegistration;
let scope: EventScope;
let typeId: string;
let call: Client;
let path: string;

beforeAll(async () => {
  service = await startRegistration();
});
afterAll(() => service?.close());
beforeEach(async () => {
  service.owner.isAway = false;
  scope = await givenEvent(service.sql);
  typeId = await givenType(service.sql, scope, { capacity: 10, allowWaitlist: true });
  call = await service.as(scope.businessUnitId);
  path = `/v1/events/${scope.eventId}/redemption-codes`;
});

const { givenCode } = codes(() => ({ call, scope, typeId }));

async function expiredCode() {
  const code = await givenCode();
  await expireCode(service.sql, code.id);
  return code;
}

const lookUp = (code: string, at = path) => call('GET', `${at}/lookup?code=${code}`);

const price = (priceAmount: number) =>
  service.sql(
    'update registration.ticket_type_copy set price_amount = $2, is_public = false where id = $1',
    [typeId, priceAmount],
  );

describe('a good code', () => {
  test('answers the ticket type that it unlocks, hidden or not, with its seats, and both prices', async () => {
    await price(9900);
    const { code } = await givenCode({ discount: { type: 'percent', value: 15 }, maxUses: 5 });
    await register(call, scope, { registrationTypeId: typeId });
    await register(call, scope, { registrationTypeId: typeId, redemptionCode: code });
    expect(succeeded(await lookUp(code))).toEqual({
      code,
      registrationType: {
        id: typeId,
        eventId: scope.eventId,
        name: 'Day pass',
        description: null,
        capacity: 10,
        allowWaitlist: true,
        isPublic: false,
        requiresApproval: false,
        status: 'open',
        opensAt: null,
        closesAt: null,
        priceAmount: 9900,
        sortOrder: 0,
        counts: { confirmed: 2, waitlisted: 0 },
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
      perks: [],
      priceAmount: 9900,
      discountedPriceAmount: 8415,
      currency: 'EUR',
    });
  });

  test('is found in either case of its letters, with blanks around it, and answered as it was made', async () => {
    const { code } = await givenCode();
    for (const typed of [code.toLowerCase(), code.toUpperCase(), `%20${code}%20`]) {
      expect(succeeded(await lookUp(typed)).code).toBe(code);
    }
  });

  test('answers the perks of an admission: those of the ticket type and those of the code, each once', async () => {
    const [both, type, own] = [
      await givenPerk(service.sql, scope, 'Lunch'),
      await givenPerk(service.sql, scope, 'Lounge'),
      await givenPerk(service.sql, scope, 'Backstage'),
    ];
    await deliverByType(service.sql, typeId, [type, both]);
    const { id, code } = await givenCode();
    const operator = await service.operator();
    for (const perkId of [own, both]) {
      const body = { ...scope, perkId, targetType: 'redemption_code', targetId: id };
      succeeded(await operator('POST', '/operator/perk.bind', { body }));
    }
    const byType = { type: 'registration_type', id: typeId };
    const byCode = { type: 'redemption_code', id };
    expect(succeeded(await lookUp(code)).perks).toEqual([
      { id: both, name: 'Lunch', description: null, sources: [byType, byCode] },
      { id: type, name: 'Lounge', description: null, sources: [byType] },
      { id: own, name: 'Backstage', description: null, sources: [byCode] },
    ]);
  });

  test('asks the owner for a perk whose copy has not arrived, and leaves it out while the owner is away', async () => {
    const late = newId('perk');
    await deliverByType(service.sql, typeId, [late]);
    const { code } = await givenCode();
    service.owner.isAway = true;
    expect(succeeded(await lookUp(code)).perks).toEqual([]);
    service.owner.isAway = false;
    ownerHas(service.owner, scope, perkSnapshot.type, late, { name: 'Late', description: 'x' });
    expect(succeeded(await lookUp(code)).perks).toMatchObject([{ id: late, name: 'Late' }]);
  });

  test.each(['draft', 'closed'] as const)(
    'is found with the status of a %s type',
    async (status) => {
      const { code } = await givenCode({}, await givenType(service.sql, scope, { status }));
      expect(succeeded(await lookUp(code)).registrationType.status).toBe(status);
    },
  );

  test.each([
    [{ type: 'percent', value: 100 }, 999, 0],
    [{ type: 'amount', value: 1000 }, 999, 0],
    [{ type: 'percent', value: 50 }, 1, 0],
    [null, 999, 999],
  ])('with the discount %j makes %i cost %i', async (discount, priceAmount, discounted) => {
    await price(priceAmount);
    const { code } = await givenCode({ discount });
    const body = succeeded(await lookUp(code));
    expect([body.priceAmount, body.discountedPriceAmount]).toEqual([priceAmount, discounted]);
  });
});

describe('a bad code', () => {
  test('answers one and the same 404, whatever is wrong with it', async () => {
    const disabled = await givenCode();
    await call('POST', `${path}/${disabled.id}/disable`);
    const expired = await expiredCode();
    const used = await givenCode({ maxUses: 1 });
    await register(call, scope, { registrationTypeId: typeId, redemptionCode: used.code });
    const other = await givenEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const elsewhere = await givenCode();
    const stranger = await service.as(newId('unit'));
    const archivedType = await givenType(service.sql, scope);
    const ofArchivedType = await givenCode({}, archivedType);
    await changeType(service.sql, archivedType, { status: 'archived' });
    const ended = await givenEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const endedPath = `/v1/events/${ended.eventId}/redemption-codes`;
    const body = { registrationTypeId: await givenType(service.sql, ended), code: 'ENDED' };
    succeeded(await call('POST', endedPath, { body }), 201);
    await changeEvent(service.sql, ended, 'archived');
    const answers = await Promise.all([
      lookUp('UNKNOWN'),
      lookUp(disabled.code),
      lookUp(expired.code),
      lookUp(used.code),
      lookUp(elsewhere.code, `/v1/events/${other.eventId}/redemption-codes`),
      lookUp(ofArchivedType.code),
      lookUp('ENDED', endedPath),
      lookUp(''),
      lookUp('%00'),
      lookUp(`${used.code}%00`),
      lookUp('%ed%a0%80'),
      lookUp('two%20words'),
      lookUp("'%20or%20true--"),
      lookUp('x'.repeat(5000)),
      lookUp('%F0%9F%8E%AB'),
      call('GET', `${path}/lookup`),
      stranger('GET', `${path}/lookup?code=${elsewhere.code}`),
    ]);
    const told = answers.map(({ status, body, headers: { date, 'request-id': id, ...headers } }) =>
      JSON.stringify({ status, body, headers }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(told).size).toBe(1);
    expect((await lookUp(elsewhere.code)).status).toBe(200);
  });

  test('is judged after the same statements as an unknown one', async () => {
    const disabled = await givenCode();
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
      await lookUp(code).finally(() => {
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

  test('of an archived type or event is rejected only after the owner was asked', async () => {
    const { code } = await givenCode();
    await changeType(service.sql, typeId, { status: 'archived' });
    await changeEvent(service.sql, scope, 'archived');
    service.owner.isAway = true;
    expect((await lookUp(code)).status).toBe(503);
    service.owner.isAway = false;
    expect((await lookUp(code)).status).toBe(404);
    const open = typeData({ capacity: 10 });
    ownerHas(service.owner, scope, ticketTypeSnapshot.type, typeId, open);
    expect((await lookUp(code)).status).toBe(404);
    const event = { status: 'published', currency: 'EUR' };
    ownerHas(service.owner, scope, eventSnapshot.type, scope.eventId, event);
    expect(succeeded(await lookUp(code)).registrationType.status).toBe('open');
  });

  test('is good again once a use was given back', async () => {
    const { code } = await givenCode({ maxUses: 1 });
    const { id } = await register(call, scope, {
      registrationTypeId: typeId,
      redemptionCode: code,
    });
    expect((await lookUp(code)).status).toBe(404);
    await call('POST', `/v1/events/${scope.eventId}/registrations/${id}/cancel`);
    expect((await lookUp(code)).status).toBe(200);
  });
});
