/**
 * The national part of a VAT identification number, for each member state of the European Union.
 * Northern Ireland is absent: its numbers are for goods.
 */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Greece is `GR` in addresses and `EL` in its numbers. */
const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);

export const isEuCountry = (country: string): boolean => Object.hasOwn(formats, country);

export type VatIdDecision =
  /** `vatId` is in capitals, without spaces and separators, and begins with its prefix. */
  | { outcome: 'valid'; vatId: string }
  /** The country is outside the European Union, whose numbers are not checked. */
  | { outcome: 'not_checked'; vatId: string }
  | { outcome: 'other_country'; expectedPrefix: string }
  | { outcome: 'malformed' };

/**
 * Checks the format of a VAT identification number for the country (ISO 3166-1 alpha-2) of a
 * billing address. Whether the number is assigned is not checked.
 */
export function checkVatId(country: string, value: string): VatIdDecision {
  const vatId = value.toUpperCase().replace(/[\s.-]/g, '');
  const format = isEuCountry(country) ? formats[country] : undefined;
  if (!format) return { outcome: 'not_checked', vatId };
  const expectedPrefix = prefixOf(country);
  if (!vatId.startsWith(expectedPrefix)) {
    return /^[A-Z]{2}/.test(vatId)
      ? { outcome: 'other_country', expectedPrefix }
      : { outcome: 'malformed' };
  }
  return format.test(vatId.slice(2)) ? { outcome: 'valid', vatId } : { outcome: 'malformed' };
}
