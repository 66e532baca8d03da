import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import { orderMayBecome, refundMayBecome, registrationMayBecome } from './states.ts';

/** What an answer has acknowledged, or promised not to have done. */
export type Fact =
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
export function factsIn(body: Body): Fact[] {
  if (typeof body !== 'object' || body === null) return [];
  if (body.registration) return factsIn(body.registration);
  if (body.checkin) {
    const { id, registrationId, subjectId } = body.checkin;
    return [{ kind: 'checkin', id, registrationId, subjectId }];
  }
  if (body.order && body.refunds) return [...factsIn(body.order), ...body.refunds.map(refundIn)];
  if (body.redemptionCodes) return body.redemptionCodes.map(codeIn);
  if (body.orderNumber) return [orderIn(body)];
  if (body.checkinCode) return [{ kind: 'registration', id: body.id, status: body.status }];
  return [];
}

const refundIn = ({ id, amount, state }: Body): Fact => ({ kind: 'refund', id, amount, state });
const codeIn = ({ id, code, maxUses }: Body): Fact => ({ kind: 'code', id, code, maxUses });
const orderIn = ({ id, status, totalAmount, currency, registrationIds }: Body): Fact => ({
  kind: 'order',
  id,
  status,
  totalAmount,
  currency,
  registrationIds,
});

/** Why what is there now cannot be the record that a fact is about; null when it can. */
export function whyNot(fact: Fact, found: Fact | undefined): string | null {
  if (fact.kind === 'refused notification') return found ? 'it had an effect' : null;
  if (!found) return 'it is not there';
  if (fact.kind === 'registration' && found.kind === fact.kind) {
    return registrationMayBecome(fact.status, found.status)
      ? null
      : `${fact.status} became ${found.status}`;
  }
  if (fact.kind === 'refund' && found.kind === fact.kind) {
    if (fact.amount !== found.amount) return `${fact.amount} became ${found.amount}`;
    return refundMayBecome(fact.state, found.state) ? null : `${fact.state} became ${found.state}`;
  }
  if (fact.kind === 'order' && found.kind === fact.kind) return whyNotOrder(fact, found);
  return JSON.stringify(fact) === JSON.stringify(found) ? null : `it is ${JSON.stringify(found)}`;
}

type OrderFact = Fact & { kind: 'order' };

function whyNotOrder(fact: OrderFact, found: OrderFact): string | null {
  if (fact.totalAmount !== found.totalAmount || fact.currency !== found.currency) {
    return `${fact.totalAmount} ${fact.currency} became ${found.totalAmount} ${found.currency}`;
  }
  if (!orderMayBecome(fact.status, found.status)) return `${fact.status} became ${found.status}`;
  const isKept = fact.registrationIds.every((id, place) => found.registrationIds[place] === id);
  return isKept ? null : 'its registrations are others';
}
