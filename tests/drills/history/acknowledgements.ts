import { isDeepStrictEqual } from 'node:util';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import {
  type ChangeState,
  isAllowedChangeTransition,
  isAllowedOrderTransition,
  isAllowedRefundTransition,
  isAllowedRegistrationTransition,
} from './states.ts';

/** What a response has acknowledged, or guaranteed not to have done. */
export type Acknowledgement =
  | { kind: 'registration'; id: string; status: RegistrationStatus }
  | {
      kind: 'order';
      id: string;
      status: OrderStatus;
      totalAmount: number;
      currency: string;
      registrationIds: readonly string[];
      /** The one of the event when the order was placed. */
      refundPolicy: unknown;
    }
  | { kind: 'checkin'; id: string; registrationId: string; subjectId: string }
  | { kind: 'code'; id: string; code: string; maxUses: number | null }
  | { kind: 'refund'; id: string; amount: number; state: RefundState }
  /** A quoted change of an order. `quote` is what it pays back and costs. */
  | { kind: 'change'; id: string; state: ChangeState; quote: object }
  /** A quote whose execution was refused each time. It must not be executed. */
  | { kind: 'refused change'; id: string }
  /** The provider has captured a payment. `id` is the provider's id. */
  | { kind: 'payment'; id: string; orderId: string }
  /** A rejected notification. It must have no effect. */
  | { kind: 'rejected notification'; id: string };

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/**
 * Returns what the body of a 2xx response acknowledges. Empty if it contains none of these records.
 */
export function acknowledgementsIn(body: Body): Acknowledgement[] {
  if (typeof body !== 'object' || body === null) return [];
  if (body.registration) return acknowledgementsIn(body.registration);
  if (body.checkin) {
    const { id, registrationId, subjectId } = body.checkin;
    return [{ kind: 'checkin', id, registrationId, subjectId }];
  }
  if (body.order && body.refunds)
    return [...acknowledgementsIn(body.order), ...body.refunds.map(refundIn)];
  if (body.order && body.quote) return [...acknowledgementsIn(body.order), changeIn(body)];
  if (body.seatId && body.registrationStatus)
    return [{ kind: 'registration', id: body.registrationId, status: body.registrationStatus }];
  if (body.redemptionCodes) return body.redemptionCodes.map(codeIn);
  if (body.orderNumber) return [orderIn(body)];
  if (body.checkinCode) return [{ kind: 'registration', id: body.id, status: body.status }];
  return [];
}

const refundIn = ({ id, amount, state }: Body): Acknowledgement => ({
  kind: 'refund',
  id,
  amount,
  state,
});
const changeIn = ({ status, quote: { id, expiresAt: _, ...quote } }: Body): Acknowledgement => ({
  kind: 'change',
  id,
  state: status,
  quote,
});
const codeIn = ({ id, code, maxUses }: Body): Acknowledgement => ({
  kind: 'code',
  id,
  code,
  maxUses,
});
const orderIn = ({
  id,
  status,
  totalAmount,
  currency,
  registrationIds,
  refundPolicy,
}: Body): Acknowledgement => ({
  kind: 'order',
  id,
  status,
  totalAmount,
  currency,
  registrationIds,
  refundPolicy,
});

/**
 * Returns why the record in the database contradicts the acknowledgement, or null if it does not.
 */
export function explainMismatch(
  acknowledgement: Acknowledgement,
  found: Acknowledgement | undefined,
): string | null {
  if (acknowledgement.kind === 'rejected notification') return found ? 'it had an effect' : null;
  if (acknowledgement.kind === 'refused change') return found ? 'it was executed' : null;
  if (!found) return 'it does not exist';
  if (acknowledgement.kind === 'registration' && found.kind === acknowledgement.kind) {
    return isAllowedRegistrationTransition(acknowledgement.status, found.status)
      ? null
      : `${acknowledgement.status} became ${found.status}`;
  }
  if (acknowledgement.kind === 'refund' && found.kind === acknowledgement.kind) {
    if (acknowledgement.amount !== found.amount)
      return `${acknowledgement.amount} became ${found.amount}`;
    return isAllowedRefundTransition(acknowledgement.state, found.state)
      ? null
      : `${acknowledgement.state} became ${found.state}`;
  }
  if (acknowledgement.kind === 'change' && found.kind === acknowledgement.kind) {
    if (!isDeepStrictEqual(acknowledgement.quote, found.quote)) return 'its quote differs';
    return isAllowedChangeTransition(acknowledgement.state, found.state)
      ? null
      : `${acknowledgement.state} became ${found.state}`;
  }
  if (acknowledgement.kind === 'order' && found.kind === acknowledgement.kind)
    return explainOrderMismatch(acknowledgement, found);
  return JSON.stringify(acknowledgement) === JSON.stringify(found)
    ? null
    : `it is ${JSON.stringify(found)}`;
}

type OrderAcknowledgement = Acknowledgement & { kind: 'order' };

function explainOrderMismatch(
  acknowledgement: OrderAcknowledgement,
  found: OrderAcknowledgement,
): string | null {
  if (
    acknowledgement.totalAmount !== found.totalAmount ||
    acknowledgement.currency !== found.currency
  ) {
    return `${acknowledgement.totalAmount} ${acknowledgement.currency} became ${found.totalAmount} ${found.currency}`;
  }
  if (!isDeepStrictEqual(acknowledgement.refundPolicy, found.refundPolicy))
    return 'its refund policy differs';
  if (!isAllowedOrderTransition(acknowledgement.status, found.status))
    return `${acknowledgement.status} became ${found.status}`;
  // The registration of an open seat that is assigned stands between them.
  const present = found.registrationIds.filter((id) =>
    acknowledgement.registrationIds.includes(id),
  );
  const isUnchanged = isDeepStrictEqual(present, [...acknowledgement.registrationIds]);
  return isUnchanged ? null : 'its registrations differ';
}
