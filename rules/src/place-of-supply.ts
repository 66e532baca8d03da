import type { AttendanceMode } from '@event-api/contracts/http/events';
import { checkVatId, isEuCountry } from './vat-id.ts';

export type PlaceOfSupply =
  /** Admission: tax is due where the event takes place; `country` is null if that is unknown. */
  | { outcome: 'event_country'; country: string | null }
  /** An online event: tax is due where the buyer is. */
  | { outcome: 'buyer_country'; country: string }
  /** An online event without a billing address: the country of the event stands in. */
  | { outcome: 'buyer_unknown'; country: string | null }
  /** An online event for a business in another member state: the customer owes the tax. */
  | { outcome: 'reverse_charge'; country: string; vatId: string };

/**
 * Decides where an order is taxed. Countries are ISO 3166-1 alpha-2 codes. The country of an online
 * event is the one in which the seller is taxed. Reverse charge needs both countries in the
 * European Union, different from one another, a company and a VAT id of the right format: without
 * this evidence the rate of the item applies.
 */
export function decidePlaceOfSupply(
  event: { attendanceMode: AttendanceMode; country: string | null },
  billing: { company: string | null; country: string; vatId: string | null } | null,
): PlaceOfSupply {
  const { country } = event;
  if (event.attendanceMode === 'in_person') return { outcome: 'event_country', country };
  if (!billing) return { outcome: 'buyer_unknown', country };
  const buyerCountry: PlaceOfSupply = { outcome: 'buyer_country', country: billing.country };
  const isCrossBorder =
    country !== null &&
    country !== billing.country &&
    isEuCountry(country) &&
    isEuCountry(billing.country);
  if (!isCrossBorder || billing.company === null || billing.vatId === null) return buyerCountry;
  const decision = checkVatId(billing.country, billing.vatId);
  return decision.outcome === 'valid'
    ? { outcome: 'reverse_charge', country: billing.country, vatId: decision.vatId }
    : buyerCountry;
}
