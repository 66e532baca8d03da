import type { Billing } from '@event-api/contracts/http/billing';
import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { AttendanceMode } from '@event-api/contracts/http/events';
import type { LineTax } from '@event-api/contracts/http/tax-rates';
import { decidePlaceOfSupply } from '@event-api/rules/place-of-supply';
import { checkVatId } from '@event-api/rules/vat-id';
import { closedStatuses, effectiveStatus, isCancelling, type OrderState } from './orders.rules.ts';

/** Where and how people attend an event. Null from a release that does not publish it. */
export interface EventPlace {
  attendanceMode: AttendanceMode | null;
  country: string | null;
}

export type BillingCheck =
  /** With the VAT id as it is stored. */
  { outcome: 'valid'; billing: Billing | null } | { outcome: 'invalid'; issue: FieldIssue };

/** Checks the VAT id of a billing for its country. */
export function checkBilling(billing: Billing | null): BillingCheck {
  if (billing === null || billing.vatId === null) return { outcome: 'valid', billing };
  const { country } = billing.address;
  const decision = checkVatId(country, billing.vatId);
  const isGiven = decision.outcome === 'valid' || decision.outcome === 'not_checked';
  if (isGiven && decision.vatId !== '') {
    return { outcome: 'valid', billing: { ...billing, vatId: decision.vatId } };
  }
  const issue =
    decision.outcome === 'other_country'
      ? `must begin with ${decision.expectedPrefix}, as those of address.country do`
      : `must be a VAT identification number of ${country}`;
  return { outcome: 'invalid', issue: { field: 'billing.vatId', issue, code: 'invalid_format' } };
}

/** Whether the customer owes the tax of an order with this billing, so that none is charged. */
export function isReverseCharged(
  { attendanceMode, country }: EventPlace,
  billing: Billing | null,
): boolean {
  const event = { attendanceMode: attendanceMode ?? ('in_person' as const), country };
  const buyer = billing && { ...billing, country: billing.address.country };
  return decidePlaceOfSupply(event, buyer).outcome === 'reverse_charge';
}

export type BillingDecision =
  | { outcome: 'store'; isReverseCharge: boolean }
  | { outcome: 'unchanged' }
  /** It is paid, closed, or on its way there. */
  | { outcome: 'closed' }
  /** With this billing another amount would be charged. */
  | { outcome: 'other_tax' };

interface BilledOrder extends OrderState {
  billing: Billing | null;
  isReverseCharge: boolean;
  lines: readonly { taxes: readonly LineTax[] }[];
}

/**
 * Decides whether an order gets another billing: until it is paid, and only if that changes nothing
 * of what is charged, because its payment page may be open.
 */
export function decideBilling(
  order: BilledOrder,
  billing: Billing | null,
  event: EventPlace,
): BillingDecision {
  if (JSON.stringify(partsOf(order.billing)) === JSON.stringify(partsOf(billing))) {
    return { outcome: 'unchanged' };
  }
  const status = effectiveStatus(order);
  const isPaid = status === 'paid' || order.settlementId !== null || order.intent === 'fulfil';
  if (isPaid || closedStatuses.includes(status) || isCancelling(order))
    return { outcome: 'closed' };
  const isReverseCharge = isReverseCharged(event, billing);
  const isTaxed = order.lines.some(({ taxes }) => taxes.some(({ rate }) => rate.percentage > 0));
  if (isTaxed && isReverseCharge !== order.isReverseCharge) return { outcome: 'other_tax' };
  return { outcome: 'store', isReverseCharge };
}

/** What two billings are compared by: a stored one has its fields in another order. */
const partsOf = (billing: Billing | null) =>
  billing && [
    ...[billing.name, billing.company, billing.vatId, billing.address.line1, billing.address.line2],
    ...[billing.address.postalCode, billing.address.city, billing.address.country],
  ];
