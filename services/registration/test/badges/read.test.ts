import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeType, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import {
  createTestPerk,
  deliverByType,
  errorSummary,
  register,
  succeeded,
} from '../projection-fixtures.ts';

let service: TestRegistration;
let inside: HttpClient;
let scope: EventScope;
let typeId: string;
let call: HttpClient;

beforeAll(async () => {
  service = await startRegistration();
  inside = await service.service();
});
afterAll(() => service?.close());
beforeEach(async () => {
  scope = await createTestEvent(service.sql);
  typeId = await createTestTicketType(service.sql, scope);
  call = await service.as(scope.businessUnitId);
});

const readBadge = (body: object) =>
  inside('POST', '/internal/badges/read', { body: { ...scope, ...body } });

const readMany = (body: object) =>
  inside('POST', '/internal/badges/read-many', { body: { ...scope, ...body } });

describe('a badge', () => {
  test('is read by its former codes, too, which the response names', async () => {
    const { id, checkinCode: former } = await register(call, scope, { registrationTypeId: typeId });
    const transfer = { body: { email: 'grace@example.com' } };
    const path = `/v1/events/${scope.eventId}/registrations/${id}`;
    const { checkinCode } = succeeded(await call('PATCH', path, transfer));
    const registration = { id, checkinCode, replacedCheckinCodes: [former] };
    for (const by of [
      { checkinCode: former },
      { checkinCode },
      { registrationId: id, checkinCode: former },
    ]) {
      expect(succeeded(await readBadge(by))).toMatchObject({ registration });
    }
    const elsewhere = await createTestEvent(service.sql, scope);
    expect(errorSummary(await readBadge({ ...elsewhere, checkinCode: former }))).toEqual([404]);
  });

  test('is read by id, by code and by both, with its perks', async () => {
    const [own, type] = [
      await createTestPerk(service.sql, scope),
      await createTestPerk(service.sql, scope),
    ];
    await deliverByType(service.sql, typeId, [type]);
    const { id, checkinCode } = await register(call, scope, {
      registrationTypeId: typeId,
      name: 'Ada Lovelace',
    });
    const operator = await service.operator();
    const grant = { ...scope, perkId: own, registrationId: id };
    succeeded(await operator('POST', '/operator/perk.grant', { body: grant }));
    const [row] = await service.sql<{ version: string }>(
      'select version from registration.registration where id = $1',
      [id],
    );
    const { eventId } = scope;
    const badge = {
      registration: {
        id,
        eventId,
        checkinCode,
        replacedCheckinCodes: [],
        status: 'confirmed',
        version: Number(row?.version),
        name: 'Ada Lovelace',
        registrationTypeId: typeId,
        admissionOpensAt: null,
        admissionClosesAt: null,
      },
      perkIds: [own, type].toSorted(),
      perkSources: [
        { type: 'registration_type', id: typeId, perkIds: [type] },
        { type: 'grant', id, perkIds: [own] },
      ],
    };
    for (const by of [
      { registrationId: id },
      { checkinCode },
      { checkinCode: checkinCode.toLowerCase() },
      { registrationId: id, checkinCode },
      { registrationId: id, checkinCode: ` ${checkinCode.toLowerCase()} ` },
    ]) {
      expect(succeeded(await readBadge(by))).toEqual(badge);
    }
  });

  test('has a higher version after each change', async () => {
    const { id } = await register(call, scope, { registrationTypeId: typeId });
    const read = async () => succeeded(await readBadge({ registrationId: id })).registration;
    const before = await read();
    await call('POST', `/v1/events/${scope.eventId}/registrations/${id}/cancel`);
    const after = await read();
    expect([before.status, after.status]).toEqual(['confirmed', 'cancelled']);
    expect(after.version).toBeGreaterThan(before.version);
  });

  test('of a registration that can be promoted is read as confirmed', async () => {
    const type = await createTestTicketType(service.sql, scope, {
      capacity: 1,
      allowWaitlist: true,
    });
    await register(call, scope, { registrationTypeId: type });
    const { id, checkinCode } = await register(call, scope, { registrationTypeId: type });
    expect(succeeded(await readBadge({ checkinCode })).registration.status).toBe('waitlisted');
    await changeType(service.sql, type, { capacity: 2 });
    expect(succeeded(await readBadge({ registrationId: id })).registration.status).toBe(
      'confirmed',
    );
  });

  test('is an identical 404 when unknown, of another unit, or with id and code of different people', async () => {
    const [one, two] = [
      await register(call, scope, { registrationTypeId: typeId }),
      await register(call, scope, { registrationTypeId: typeId }),
    ];
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const responses = await Promise.all([
      readBadge({ registrationId: newId('reg') }),
      readBadge({ checkinCode: 'CHK-0000000000000000' }),
      readBadge({ checkinCode: one.id }),
      readBadge({ registrationId: one.checkinCode }),
      readBadge({ registrationId: one.id, checkinCode: two.checkinCode }),
      readBadge({ registrationId: one.id, eventId: other.eventId }),
      readBadge({ checkinCode: one.checkinCode, eventId: other.eventId }),
      readBadge({ registrationId: one.id, businessUnitId: newId('unit') }),
      readBadge({ checkinCode: one.checkinCode, businessUnitId: newId('unit') }),
      readBadge({ registrationId: one.id, eventId: newId('evt') }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('without id and code is rejected with 400', async () => {
    expect(errorSummary(await readBadge({}))).toEqual([400, 'registrationId']);
  });
});

describe('many badges', () => {
  test('are each read once, by id and by present or former code, with their perks', async () => {
    const perk = await createTestPerk(service.sql, scope);
    await deliverByType(service.sql, typeId, [perk]);
    const [ada, bob] = [
      await register(call, scope, { registrationTypeId: typeId }),
      await register(call, scope, { registrationTypeId: typeId }),
    ];
    const transfer = { body: { email: 'heir@example.com' } };
    const path = `/v1/events/${scope.eventId}/registrations/${bob.id}`;
    const { checkinCode } = succeeded(await call('PATCH', path, transfer));
    const identifiers = {
      registrationIds: [ada.id, bob.id, 'reg_unknown'],
      checkinCodes: [ada.checkinCode, bob.checkinCode, checkinCode, 'CHK-UNKNOWN'],
    };
    const { badges } = succeeded(await readMany(identifiers));
    expect(badges).toHaveLength(2);
    expect(badges).toEqual(
      expect.arrayContaining([
        {
          registration: expect.objectContaining({ id: ada.id, checkinCode: ada.checkinCode }),
          perkIds: [perk],
        },
        {
          registration: expect.objectContaining({
            id: bob.id,
            checkinCode,
            replacedCheckinCodes: [bob.checkinCode],
          }),
          perkIds: [perk],
        },
      ]),
    );
    const elsewhere = await createTestEvent(service.sql, scope);
    expect(succeeded(await readMany({ ...elsewhere, ...identifiers })).badges).toEqual([]);
  });
});
