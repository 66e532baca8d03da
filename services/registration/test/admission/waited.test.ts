import type { EventScope } from '@event-api/contracts/internal/scope';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  changeEvent,
  changeType,
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  someEmail,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import { createTestAddon, joinGroup, setCapacityGroups } from '../projection-fixtures.ts';
import { holdLock, someWaitForLock } from './hold-lock.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration({ replicas: 2 });
  sql = service.sql;
});
afterAll(() => service?.close());
afterEach(async () => expect(await violatedInvariants(sql)).toEqual({}));

interface Offer {
  scope: EventScope;
  typeId: string;
  addonId: string;
}

/** An event with two seats of one type, which is in a group of two, and two units of an add-on. */
async function createOffer(): Promise<Offer> {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: 2 });
  await setGroup(scope, 2);
  await joinGroup(sql, [typeId], groupIdOf(scope));
  return { scope, typeId, addonId: await createTestAddon(sql, scope, [], { capacity: 2 }) };
}

const groupIdOf = ({ eventId }: EventScope) => `cgp_${eventId}`;

const setGroup = (scope: EventScope, capacity: number) =>
  setCapacityGroups(sql, scope, [{ id: groupIdOf(scope), name: 'Hall', capacity }]);

async function reserve({ scope, typeId, addonId }: Offer): Promise<string> {
  const addonUnits = [{ addonId, quantity: 1, inBundle: false }];
  const units = { addonIds: [addonId], addonUnits };
  const input = createReserveRequest(scope, typeId, [someEmail()], units);
  const { result } = await service.replica(0).admission.submit(scope, { kind: 'reserve', input });
  return result.outcome === 'refused' ? result.reason : result.outcome;
}

describe('an order that waits for the lock of its event', () => {
  test.each<[what: string, change: (offer: Offer) => Promise<unknown>, outcome: string]>([
    ['nothing', async () => {}, 'reserved'],
    ['a lowered ticket type', ({ typeId }) => changeType(sql, typeId, { capacity: 1 }), 'SOLD_OUT'],
    ['a lowered capacity group', ({ scope }) => setGroup(scope, 1), 'SOLD_OUT'],
    ['a raised capacity group', ({ scope }) => setGroup(scope, 3), 'reserved'],
    [
      'a lowered add-on',
      ({ addonId }) =>
        sql('update registration.addon_projection set capacity = 1 where id = $1', [addonId]),
      'ADDON_SOLD_OUT',
    ],
    ['an archived event', ({ scope }) => changeEvent(sql, scope, 'archived'), 'EVENT_ARCHIVED'],
    [
      'a cancelled event',
      ({ scope: { eventId } }) =>
        sql('update registration.event_projection set cancelled_at = now() where id = $1', [
          eventId,
        ]),
      'EVENT_ARCHIVED',
    ],
  ])('is decided by what was committed meanwhile: %s', async (_, change, outcome) => {
    const offer = await createOffer();
    expect(await reserve(offer)).toBe('reserved');
    const release = await holdLock(service, offer.scope);
    const waiting = reserve(offer);
    await someWaitForLock(service);
    await change(offer);
    await release();
    expect(await waiting).toBe(outcome);
  });
});
