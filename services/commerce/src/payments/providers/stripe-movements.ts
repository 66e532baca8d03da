import type { MovementKind } from '@event-api/contracts/operator/ledger';
import type Stripe from 'stripe';
import type { ProviderMovement } from './provider.ts';
import { fromStripeAmount } from './stripe-amounts.rules.ts';

/**
 * What a balance transaction has moved for a buyer; null for fees, payouts, transfers and charges of
 * other systems. The transaction itself is in the currency of the account, so the amount and the
 * currency are those of the charge, the refund or the dispute that it is of.
 */
export function movementOf(transaction: Stripe.BalanceTransaction): ProviderMovement | null {
  const { source, created } = transaction;
  if (source === null || typeof source === 'string') return null;
  const object = objectOf(transaction, source);
  if (object === null) return null;
  const currency = object.currency.toUpperCase();
  return {
    kind: object.kind,
    objectId: object.id,
    paymentId: object.paymentId,
    attemptId: object.attemptId,
    // An amount that is no whole number of minor units differs from every amount of the journal.
    amount: fromStripeAmount(object.amount, currency) ?? object.amount,
    currency,
    movedAt: new Date(created * 1000),
  };
}

interface Moved {
  kind: MovementKind;
  id: string;
  paymentId: string | null;
  attemptId: string | null;
  amount: number;
  currency: string;
}

function objectOf(
  { type, amount: net }: Stripe.BalanceTransaction,
  source: Stripe.BalanceTransactionSource,
): Moved | null {
  switch (source.object) {
    case 'charge': {
      // Sessions have a payment intent: a bare charge is of another system.
      const paymentId = paymentOf(source);
      if ((type !== 'charge' && type !== 'payment') || paymentId === null) return null;
      // A charge has the metadata of its payment intent.
      const attemptId = source.metadata.attemptId ?? null;
      const { amount_captured: amount, currency } = source;
      return { kind: 'charge', id: paymentId, paymentId, attemptId, amount, currency };
    }
    case 'refund':
    case 'dispute': {
      const kind = net < 0 ? source.object : (`${source.object}_returned` as const);
      const { id, amount, currency } = source;
      return { kind, id, paymentId: paymentOf(source), attemptId: null, amount, currency };
    }
    default:
      return null;
  }
}

const paymentOf = ({
  payment_intent: intent,
}: Pick<Stripe.Charge | Stripe.Refund | Stripe.Dispute, 'payment_intent'>): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null);
