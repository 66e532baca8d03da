import { describe, expect, test } from 'vitest';
import { checkVatId, isEuCountry } from './vat-id.ts';

const valid: [string, string][] = [
  ['AT', 'ATU12345678'],
  ['BE', 'BE0123456789'],
  ['BG', 'BG123456789'],
  ['BG', 'BG1234567890'],
  ['CY', 'CY12345678X'],
  ['CZ', 'CZ12345678'],
  ['CZ', 'CZ1234567890'],
  ['DE', 'DE123456789'],
  ['DK', 'DK12345678'],
  ['EE', 'EE123456789'],
  ['ES', 'ESA12345678'],
  ['ES', 'ESX1234567A'],
  ['ES', 'ES12345678A'],
  ['FI', 'FI12345678'],
  ['FR', 'FR12345678901'],
  ['FR', 'FRXX123456789'],
  ['GR', 'EL123456789'],
  ['HR', 'HR12345678901'],
  ['HU', 'HU12345678'],
  ['IE', 'IE1234567WA'],
  ['IE', 'IE1234567W'],
  ['IE', 'IE1A23456T'],
  ['IT', 'IT12345678901'],
  ['LT', 'LT123456789'],
  ['LT', 'LT123456789012'],
  ['LU', 'LU12345678'],
  ['LV', 'LV12345678901'],
  ['MT', 'MT12345678'],
  ['NL', 'NL123456789B01'],
  ['PL', 'PL1234567890'],
  ['PT', 'PT123456789'],
  ['RO', 'RO12'],
  ['RO', 'RO1234567890'],
  ['SE', 'SE123456789012'],
  ['SI', 'SI12345678'],
  ['SK', 'SK1234567890'],
];

describe('the format of a VAT id', () => {
  test.each(valid)('of %s accepts %s', (country, vatId) => {
    expect(checkVatId(country, vatId)).toEqual({ outcome: 'valid', vatId });
  });

  test('is known for the 27 member states', () => {
    expect(new Set(valid.map(([country]) => country)).size).toBe(27);
    expect(valid.every(([country]) => isEuCountry(country))).toBe(true);
  });

  test.each(valid)('of %s rejects %s with a digit more, or less', (country, vatId) => {
    expect(checkVatId(country, `${vatId}0000000000`)).toEqual({ outcome: 'malformed' });
    expect(checkVatId(country, vatId.slice(0, 3))).toEqual({ outcome: 'malformed' });
  });

  test('ignores case, spaces, full stops and hyphens', () => {
    expect(checkVatId('BE', ' be 0123.456-789 ')).toEqual({
      outcome: 'valid',
      vatId: 'BE0123456789',
    });
  });

  test.each([
    ['DE', 'ATU12345678', 'DE'],
    ['GR', 'GR123456789', 'EL'],
  ])('of %s rejects %s, whose prefix is not %s', (country, vatId, expectedPrefix) => {
    expect(checkVatId(country, vatId)).toEqual({ outcome: 'other_country', expectedPrefix });
  });

  test.each([
    ['DE', '123456789'],
    ['DE', ''],
    ['DE', 'DE'],
    ['DE', 'DE12345678٣'],
  ])('of %s rejects %j', (country, vatId) => {
    expect(checkVatId(country, vatId)).toEqual({ outcome: 'malformed' });
  });

  test.each(['GB', 'US', 'XI', 'constructor'])('is not checked for %s', (country) => {
    expect(isEuCountry(country)).toBe(false);
    expect(checkVatId(country, 'gb 123')).toEqual({ outcome: 'not_checked', vatId: 'GB123' });
  });
});
