import { newId } from '@event-api/platform/core/ids';
import { httpClient } from '@event-api/platform/testing/http-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import {
  command,
  createTestEvent,
  createTestPerk,
  createTestPerkSource,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
} from '../fixtures.ts';

useOnsite();
beforeEach(() => {
  onsite.owners.registrationIsUnavailable = true;
});

const eventDoor = { subjectType: 'event' };
const explain = (input: object) => command(operator, 'checkin.explain', scope, input);
const scan = (body: object) => call('POST', `/v1/events/${scope.eventId}/checkins`, { body });

const gateOfLounge = async () => {
  const perkId = await createTestPerk(onsite.sql, scope, 'Lounge');
  const venue = { name: 'Lounge', perkIds: [perkId] };
  const { id: subjectId } = await command(operator, 'venue.create', scope, venue);
  return { perkId, door: { subjectType: 'venue', subjectId } };
};

describe('an explanation', () => {
  test('has every rule with its result, and the perks that are required and held with their sources', async () => {
    const { perkId, door } = await gateOfLounge();
    const lunch = await createTestPerk(onsite.sql, scope, 'Lunch');
    const ticketTypeId = await createTestPerkSource(onsite.sql, scope, 'ticket_type', [lunch]);
    const addonId = await createTestPerkSource(onsite.sql, scope, 'addon', [lunch, perkId]);
    const fields = { name: 'Ada Lovelace', ticketTypeId, addonIds: [addonId] };
    const { registrationId, checkinCode } = await createTestRegistration(onsite.sql, scope, fields);
    const ofType = { type: 'registration_type', id: ticketTypeId };
    const ofAddon = { type: 'addon', id: addonId };
    expect(await explain({ registrationId, checkinCode, ...door })).toEqual({
      outcome: 'admitted',
      notice: null,
      decidedBy: 'projections',
      rules: [
        { rule: 'door', passed: true },
        { rule: 'badge', passed: true },
        { rule: 'badge_code', passed: true },
        { rule: 'confirmed', passed: true, registrationStatus: 'confirmed' },
        { rule: 'gate', passed: true, of: 'venue', perks: [{ id: perkId, name: 'Lounge' }] },
      ],
      registration: {
        id: registrationId,
        name: 'Ada Lovelace',
        registrationTypeId: ticketTypeId,
        status: 'confirmed',
      },
      heldPerks: [
        { id: perkId, name: 'Lounge', sources: [ofAddon] },
        { id: lunch, name: 'Lunch', sources: [ofType, ofAddon] },
      ],
      checkin: null,
    });
  });

  test.each([
    ['a cancelled registration', { status: 'cancelled' as const }, 'not_confirmed'],
    ['a person without the perk', {}, 'gate_closed'],
  ])('of %s has the outcome of the check-in', async (_who, fields, outcome) => {
    const { door } = await gateOfLounge();
    const { registrationId } = await createTestRegistration(onsite.sql, scope, fields);
    expect(await explain({ registrationId, ...door })).toMatchObject({
      outcome,
      decidedBy: 'fallback',
      registration: { id: registrationId },
    });
    const reason = outcome.toUpperCase();
    expect(errorReason(await scan({ registrationId, ...door }))).toEqual([412, reason]);
  });

  test('of an unknown badge or door says which one is unknown', async () => {
    const { registrationId, checkinCode } = await createTestRegistration(onsite.sql, scope);
    const other = await createTestRegistration(onsite.sql, scope);
    const elsewhere = await createTestRegistration(onsite.sql, await createTestEvent(onsite));
    const outcomeOf = async (input: object) => (await explain(input)).outcome;
    const unknownDoor = { subjectType: 'venue', subjectId: newId('ven') };
    expect(await outcomeOf({ registrationId, ...unknownDoor })).toBe('unknown_door');
    for (const badge of [{ checkinCode: 'CHK-NOBODY' }, elsewhere]) {
      expect(await outcomeOf({ ...badge, ...eventDoor })).toBe('unknown_badge');
    }
    const mixed = { registrationId: other.registrationId, checkinCode };
    expect(await outcomeOf({ ...mixed, ...eventDoor })).toBe('badge_mismatch');
  });

  test('says when registration has decided, with the perks that it sent', async () => {
    onsite.owners.registrationIsUnavailable = false;
    const { perkId, door } = await gateOfLounge();
    const badge = await createTestRegistration(onsite.sql, scope);
    const source = { type: 'grant' as const, id: badge.registrationId };
    const perkSources = [{ ...source, perkIds: [perkId] }];
    const named = { name: 'Ada Lovelace', registrationTypeId: null, perkSources };
    stubBadgeResponse(onsite.owners, scope, badge, { perkIds: [perkId], named });
    expect(await explain({ registrationId: badge.registrationId, ...door })).toMatchObject({
      outcome: 'admitted',
      decidedBy: 'registration',
      registration: { name: 'Ada Lovelace' },
      heldPerks: [{ id: perkId, name: 'Lounge', sources: [source] }],
    });
  });

  test('contains the earlier check-in at the door, which does not influence the outcome', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan({ registrationId, ...eventDoor }), 201);
    expect(await explain({ registrationId, ...eventDoor })).toMatchObject({
      outcome: 'admitted',
      checkin,
    });
  });

  test('changes nothing, and counts as no decision at a door', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const waiting = await createTestRegistration(onsite.sql, scope, { status: 'waitlisted' });
    const tables = ['checkin', 'idempotency_key', 'registration_projection', 'event_projection'];
    const metrics = httpClient(onsite.replica(0).internalUrl);
    const state = async () => ({
      rows: await Promise.all(
        tables.map((table) => onsite.sql(`select * from onsite.${table} order by 1, 2, 3`)),
      ),
      counted: String((await metrics('GET', '/metrics')).body)
        .split('\n')
        .filter((line) => /^onsite_checkins_(total|without_registration)/.test(line)),
    });
    const before = await state();
    expect(before.counted).not.toEqual([]);
    await explain({ registrationId, ...eventDoor });
    await explain({ registrationId: waiting.registrationId, ...eventDoor, method: 'manual' });
    expect(await state()).toEqual(before);
    succeeded(await scan({ registrationId, ...eventDoor }), 201);
  });

  test('requires an event and the fields of a check-in', async () => {
    const post = (body: object) => operator('POST', '/operator/checkin.explain', { body });
    const unknown = { ...scope, eventId: newId('evt'), checkinCode: 'CHK-1', ...eventDoor };
    expect(errorReason(await post(unknown))).toEqual([404, 'eventId']);
    expect(errorReason(await post({ ...scope, ...eventDoor }))).toEqual([400, 'registrationId']);
    const session = { ...scope, checkinCode: 'CHK-1', subjectType: 'session' };
    expect(errorReason(await post(session))).toEqual([400, 'subjectId']);
  });
});
