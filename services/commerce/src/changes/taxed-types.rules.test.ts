import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { createRandom } from '@event-api/platform/testing/random';
import { expect, test } from 'vitest';
import { amountOfUnits, amountsOfSeats, type PresentPrice } from '../orders/line-taxes.rules.ts';
import type { Offer, Seat } from '../orders/lines.rules.ts';
import { priceOrder } from '../orders/prices.rules.ts';
import { type ChosenType, decideTypes, type TypesRefusal } from './type-changes.rules.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** The line and the seats of an order of `count` seats of a ticket type, as a sale prices them. */
function sold(
  ticketTypeId: string,
  price: PresentPrice,
  count: number,
  treatment = { isReverseCharge: false },
) {
  const item = { name: 'Day', priceAmount: price.priceAmount, taxRate: price.taxRate ?? null };
  const offer: Offer = {
    types: new Map([[ticketTypeId, item]]),
    addons: new Map(),
    bundles: new Map(),
  };
  const line = {
    ...{ itemType: 'registration_type' as const, itemId: ticketTypeId, name: 'Day' },
    ...{ quantity: count, unitAmount: price.priceAmount, attendees: [] },
    ...{ firstSeat: 0, seatCount: count },
  };
  const seats = Array.from({ length: count }, (): Seat => {
    const { priceAmount: amount } = price;
    return { email: '', name: null, ticketTypeId, inBundle: false, amount };
  });
  const { lines, ...priced } = priceOrder(
    { lines: [line], seats },
    { discount: null, discountedTicketTypeId: null },
    offer,
    treatment,
  );
  const noRegistrations = { registrationIds: [], unfulfilledRegistrationIds: [] };
  return { ...priced, ...treatment, lines: lines.map((each) => ({ ...each, ...noRegistrations })) };
}

const orderOf = ({ lines, seats, totalAmount, isReverseCharge }: ReturnType<typeof sold>) => ({
  ...{ totalAmount, payments: [{ id: 'stl_1', amount: totalAmount }], isReverseCharge },
  ...{ id: 'ord_1', currency: 'EUR', status: 'paid' as const, intent: null, holdExpired: true },
  ...{ settlementId: 'stl_1', refundPolicy: null, eventCancelledAt: null, isMoving: false },
  ...{ lines, seats, addons: [], cancelledAddons: [], cancelledSeatIds: [] },
  ...{ addonRegistrationId: null, registrationStatuses: {} },
});

const chosen = (decision: ChosenType[] | TypesRefusal): ChosenType[] => {
  if ('outcome' in decision) throw new Error(`${decision.outcome}, seed ${seed}`);
  return decision;
};

test('of 2000 random lines each seat costs with another type what a sale of it charges', () => {
  const random = createRandom(seed);
  const rate = (): AppliedTaxRate | null =>
    random.chance(0.2)
      ? null
      : {
          ...{ id: `tax_${random.below(1e9)}`, name: 'VAT', percentage: random.below(10_001) },
          mode: random.chance(0.5) ? 'inclusive' : 'exclusive',
        };
  for (let n = 0; n < 2000; n++) {
    const count = 1 + random.below(7);
    const price = { priceAmount: random.below(10 ** (1 + random.below(5))), taxRate: rate() };
    const treatment = { isReverseCharge: random.chance(0.3) };
    const sale = sold('tt_b', price, count, treatment);
    const amounts = sale.seats.map(({ amount }) => amount);
    expect(amountsOfSeats(price, count, treatment), `seed ${seed}`).toEqual(amounts);

    // Nothing is dearer than what was paid: every difference can be taken.
    const paid = sold('tt_a', { priceAmount: 1_000_000 }, count, treatment);
    const facts = {
      prices: new Map([['tt_b', price.priceAmount]]),
      taxRates: new Map([['tt_b', price.taxRate]]),
      refunds: [],
    };
    const seatIds = paid.seats.map((_, seat) => `seat_1_${seat + 1}`);
    const requested = seatIds.map((seatId) => ({ seatId, ticketTypeId: 'tt_b' }));
    const atOnce = chosen(decideTypes(orderOf(paid), requested, facts));
    expect(
      atOnce.map((type) => type.price),
      `seed ${seed}`,
    ).toEqual(amounts);
    const alone = random.below(count);
    const [one] = chosen(decideTypes(orderOf(paid), requested.slice(alone, alone + 1), facts));
    expect(one?.price, `seed ${seed}`).toBe(amounts[alone]);

    // A type of the same price and tax costs nothing and pays nothing back, seat by seat.
    const same = orderOf(sold('tt_a', price, count, treatment));
    const [equal] = chosen(decideTypes(same, requested.slice(alone, alone + 1), facts));
    expect(equal?.difference, `seed ${seed}`).toBe(0);
  }
});

test('units of an add-on cost together what was charged for their line, one after another', () => {
  const random = createRandom(seed);
  for (let n = 0; n < 2000; n++) {
    const line = { totalAmount: random.below(10_000), quantity: 1 + random.below(9) };
    let [sum, before] = [0, 0];
    while (before < line.quantity) {
      const units = 1 + random.below(line.quantity - before);
      sum += amountOfUnits(line, before, units);
      before += units;
    }
    expect(sum, `seed ${seed}`).toBe(line.totalAmount);
  }
});
