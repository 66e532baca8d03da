import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import {
  isAllowedOrderTransition,
  isAllowedRefundTransition,
  isAllowedRegistrationTransition,
} from './states.ts';

/** What an answer has acknowledged, or promised not to have done. */
export type Acknowledgement =
  | { kind: 'registration'; id: string; status: RegistrationStatus }
  | {
      kind: 'order';
      id: string;
      status: OrderStatus;
      totalAmount: number;
      currency: string;
      registrationIds: readonly string[];
    }
  | { kind: 'checkin'; id: string; registrationId: string; subjectId: string }
  | { kind: 'code'; id: string; code: string; maxUses: number | null }
  | { kind: 'refund'; id: string; amount: number; state: RefundState }
  /** The provider has taken money: `id` is its name for the payment. */
  | { kind: 'payment'; id: string; orderId: string }
  /** A notification that was refused: nothing may have come of it. */
  | { kind: 'refused notification'; id: string };

// biome-ignore lint/suspicious/noExplicitAny: whatever came is looked into.
type Body = any;

/** What the body of a 2xx acknowledges; nothing where it is about none of these records. */
export function acknowledgementsIn(body: Body): Acknowledgement[] {
  if (typeof body !== 'object' || body === null) return [];
  if (body.registration) return acknowledgementsIn(body.registration);
  if (body.checkin) {
    const { id, registrationId, subjectId } = body.checkin;
    return [{ kind: 'checkin', id, registrationId, subjectId }];
  }
  if (body.order && body.refunds)
    return [...acknowledgementsIn(body.order), ...body.refunds.map(refundIn)];
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
}: Body): Acknowledgement => ({
  kind: 'order',
  id,
  status,
  totalAmount,
  currency,
  registrationIds,
});

/** Why what is there now cannot be the record that a fact is about; null when it can. */
export function explainMismatch(
  acknowledgement: Acknowledgement,
  found: Acknowledgement | undefined,
): string | null {
  if (acknowledgement.kind === 'refused notification') return found ? 'it had an effect' : null;
  if (!found) return 'it is not there';
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
  if (!isAllowedOrderTransition(acknowledgement.status, found.status))
    return `${acknowledgement.status} became ${found.status}`;
  const isUnchanged = acknowledgement.registrationIds.every(
    (id, place) => found.registrationIds[place] === id,
  );
  return isUnchanged ? null : 'its registrations are others';
}
