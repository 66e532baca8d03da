import { describe, expect, test } from 'vitest';
import { decidePlaceOfSupply } from './place-of-supply.ts';

const inPerson = (country: string | null) => ({ attendanceMode: 'in_person', country }) as const;
const online = (country: string | null) => ({ attendanceMode: 'online', country }) as const;
const person = (country: string) => ({ company: null, country, vatId: null });
const business = (country: string, vatId: string | null) => ({ company: 'Acme', country, vatId });

describe('admission to an event', () => {
  test.each([
    ['a person of the same country', 'FR', person('FR')],
    ['a person of another country', 'FR', person('DE')],
    ['a business of another member state', 'FR', business('DE', 'DE123456789')],
    ['a buyer without an address', 'FR', null],
    ['a buyer from outside the Union', 'FR', person('US')],
    ['an event of an unknown country', null, business('DE', 'DE123456789')],
  ])('is taxed where it takes place: %s', (_who, country, billing) => {
    expect(decidePlaceOfSupply(inPerson(country), billing)).toEqual({
      outcome: 'event_country',
      country,
    });
  });
});

describe('an online event', () => {
  test.each([
    ['a person of the same country', person('FR')],
    ['a person of another member state', person('DE')],
    ['a person from outside the Union', person('US')],
    ['a business of the same country', business('FR', 'FR12345678901')],
    ['a business without a VAT id', business('DE', null)],
    ['a VAT id of another format', business('DE', 'DE12345678')],
    ['a VAT id of another country', business('DE', 'ATU12345678')],
    ['a VAT id without a company', { company: null, country: 'DE', vatId: 'DE123456789' }],
    ['a business from outside the Union', business('CH', 'CHE123456789')],
  ])('is taxed where the buyer is, with the rate of the item: %s', (_who, billing) => {
    expect(decidePlaceOfSupply(online('FR'), billing)).toEqual({
      outcome: 'buyer_country',
      country: billing.country,
    });
  });

  test('for a business in another member state moves the tax to the customer', () => {
    expect(decidePlaceOfSupply(online('FR'), business('GR', 'el 123456789'))).toEqual({
      outcome: 'reverse_charge',
      country: 'GR',
      vatId: 'EL123456789',
    });
  });

  test.each([
    ['an unknown country', null],
    ['a country outside the Union', 'CH'],
  ])('of %s never moves the tax', (_what, country) => {
    expect(decidePlaceOfSupply(online(country), business('DE', 'DE123456789'))).toEqual({
      outcome: 'buyer_country',
      country: 'DE',
    });
  });

  test('without an address is taxed in its own country', () => {
    expect(decidePlaceOfSupply(online('FR'), null)).toEqual({
      outcome: 'buyer_unknown',
      country: 'FR',
    });
  });
});
