import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { createCheckoutFixture } from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';
import {
  changeAgainstEvent,
  changeAgainstSecondPayment,
  createLinksAtOnce,
  refundAgainstAssignment,
  revokeAgainstClaims,
} from './seat-races.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

/** Runs `act` while commerce has these switches. */
async function withCommerce<Result>(switches: string, act: () => Promise<Result>): Promise<Result> {
  bus.setSwitches('commerce', switches);
  return act().finally(() => bus.setSwitches('commerce'));
}

const slow = 'pause:order.decided,pause:assign.responded';
const rounds = 12;

describe('at once', () => {
  test('a change of an order and a second payment of it take nothing from each other', async () => {
    const faults = await withCommerce(slow, () => changeAgainstSecondPayment(bus, rounds));
    expect(faults).toEqual([]);
  });

  test('a change of an order and the cancellation of its event pay nothing twice', async () => {
    for (let n = 0; n < 3; n++) expect(await changeAgainstEvent(bus)).toEqual([]);
  });

  test('an assignment of a seat and its refund by an operator end with its price paid back', async () => {
    const faults = await withCommerce(slow, () => refundAgainstAssignment(bus, rounds));
    expect(faults).toEqual([]);
  });

  test('many links of an order leave one', async () => {
    expect(await withCommerce(slow, () => createLinksAtOnce(bus))).toBe(1);
  });

  test('a link that is revoked while it is used has its effect before, or none', async () => {
    const faults = await withCommerce(slow, () => revokeAgainstClaims(bus, rounds));
    expect(faults).toEqual([]);
  });

  test('nothing contradicts anything', () => expectConsistentCheckout(bus));
});

/**
 * Repeats a race without a guard of commerce until it produces more than `right` violations. Errors:
 * none after 30 attempts.
 */
async function untilViolation(
  guards: string,
  play: () => Promise<string[] | number>,
  right = 0,
): Promise<void> {
  const came = async () => {
    const found = await withCommerce(`${guards},${slow}`, play);
    return typeof found === 'number' ? found : found.length;
  };
  for (let turn = 0; turn < 30; turn++) if ((await came()) > right) return;
  throw new Error('the race produced no violation');
}

describe('without its guard', () => {
  test('a second payment takes the money of a change', () =>
    untilViolation('off:refunds.own-payment', () => changeAgainstSecondPayment(bus, rounds)));

  test('a change and the cancellation of its event pay twice', () =>
    untilViolation('', () => changeAgainstEvent(bus, 'off:order.lock,off:cancelled_seat.once')));

  test('a seat is paid back again under the id of its registration', () =>
    untilViolation('off:seat.identity', () => refundAgainstAssignment(bus, rounds)));

  test('a revoked link is used', () =>
    untilViolation('off:claim-link.revoked', () => revokeAgainstClaims(bus, rounds)));

  test('several links are valid', async () => {
    await bus.database.sql('drop index commerce.claim_link_usable');
    await untilViolation('off:order.lock', () => createLinksAtOnce(bus), 1);
  });
});
