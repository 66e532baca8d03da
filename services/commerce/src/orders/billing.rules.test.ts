import type { Billing } from '@event-api/contracts/http/billing';
import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { describe, expect, test } from 'vitest';
import { checkBilling, decideBilling, isReverseCharged } from './billing.rules.ts';

const of = (country: string, vatId: string | null, company: string | null = 'ACME'): Billing => ({
  ...{ name: null, company, vatId },
  address: { line1: 'Street 1', line2: null, postalCode: null, city: 'City', country },
});

describe('the VAT id of a billing', () => {
  test.each([
    ['AT', 'atu 123 456 78', 'ATU12345678'],
    ['GR', 'EL123456789', 'EL123456789'],
    ['US', '12-3456789', '123456789'],
    ['DE', null, null],
  ])('in %s: %s is stored as %s', (country, vatId, stored) => {
    const expected = { ...of(country, stored) };
    expect(checkBilling(of(country, vatId))).toEqual({ outcome: 'valid', billing: expected });
  });

  test.each([
    ['AT', 'ATU1234567', 'must be a VAT identification number of AT'],
    ['AT', 'DE123456789', 'must begin with AT, as those of address.country do'],
    ['US', '--', 'must be a VAT identification number of US'],
  ])('in %s: %s is refused', (country, vatId, issue) => {
    expect(checkBilling(of(country, vatId))).toEqual({
      outcome: 'invalid',
      issue: { field: 'billing.vatId', issue, code: 'invalid_format' },
    });
  });

  test('is not needed', () => {
    expect(checkBilling(null)).toEqual({ outcome: 'valid', billing: null });
  });
});

const online = { attendanceMode: 'online', country: 'DE' } as const;
const business = of('AT', 'ATU12345678');

describe('reverse charge', () => {
  test.each([
    ['a company in another member state, online', online, business, true],
    ['the same in person', { ...online, attendanceMode: 'in_person' }, business, false],
    ['an event of the previous release', { attendanceMode: null, country: 'DE' }, business, false],
    ['an event without a country', { ...online, country: null }, business, false],
    ['a company in the same country', online, of('DE', 'DE123456789'), false],
    ['a company outside of the European Union', online, of('CH', 'CHE123456788'), false],
    ['a person', online, of('AT', 'ATU12345678', null), false],
    ['a company without a VAT id', online, of('AT', null), false],
    ['nobody', online, null, false],
  ] as const)('of %s', (_, event, billing, expected) => {
    expect(isReverseCharged(event, billing)).toBe(expected);
  });
});

describe('another billing', () => {
  const rate = (percentage: number) => ({
    rate: { id: 'tax', name: 'VAT', percentage, mode: 'inclusive' as const },
    ...{ treatment: 'standard' as const, netAmount: 1, taxAmount: 0, grossAmount: 1 },
  });
  const order = {
    ...{ status: 'held' as OrderStatus, intent: null, totalAmount: 100, settlementId: null },
    ...{ holdExpired: false, billing: null as Billing | null, isReverseCharge: false },
    lines: [{ taxes: [rate(1900)] }],
  };
  const person = of('DE', null, null);

  test.each(orderStatuses)('of an order that is %s', (status) => {
    const isOpen = status === 'held' || status === 'awaiting_payment';
    const stored = { outcome: 'store', isReverseCharge: false };
    expect(decideBilling({ ...order, status }, person, online)).toEqual(
      isOpen ? stored : { outcome: 'closed' },
    );
  });

  test.each([
    ['whose hold has ended', { holdExpired: true }],
    ['that is being paid', { settlementId: 'stl_1' }],
    ['that is being fulfilled', { intent: 'fulfil' as const }],
    ['that is being cancelled', { intent: 'cancel' as const }],
  ])('of an order %s is refused', (_, fields) => {
    expect(decideBilling({ ...order, ...fields }, person, online).outcome).toBe('closed');
  });

  test('that is the same changes nothing, also when the order is paid', () => {
    const { address, ...others } = person;
    const paid = { ...order, status: 'paid' as const, billing: { address, ...others } };
    expect(decideBilling(paid, person, online)).toEqual({ outcome: 'unchanged' });
  });

  test('that would begin or end reverse charge is refused', () => {
    expect(decideBilling(order, business, online).outcome).toBe('other_tax');
    const reversed = { ...order, isReverseCharge: true, billing: business };
    expect(decideBilling(reversed, person, online).outcome).toBe('other_tax');
    const other = { ...business, company: 'Other' };
    expect(decideBilling(reversed, other, online)).toEqual({
      ...{ outcome: 'store', isReverseCharge: true },
    });
  });

  test.each([[[]], [[rate(0)]]])('changes no price without tax (%j)', (taxes) => {
    expect(decideBilling({ ...order, lines: [{ taxes }] }, business, online)).toEqual({
      ...{ outcome: 'store', isReverseCharge: true },
    });
  });
});
