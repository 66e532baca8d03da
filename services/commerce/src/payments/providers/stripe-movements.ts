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
    // An amount that is no whole number of minor units differs from every amount of the journal.
    amount: fromStripeAmount(object.amount, currency) ?? object.amount,
    currency,
    movedAt: new Date(created * 1000),
  };
}

interface Moved {
  kind: MovementKind;
  id: string;
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
      const intent = source.payment_intent;
      const id = typeof intent === 'string' ? intent : intent?.id;
      if ((type !== 'charge' && type !== 'payment') || id === undefined) return null;
      return { kind: 'charge', id, amount: source.amount_captured, currency: source.currency };
    }
    case 'refund': {
      const kind = net < 0 ? 'refund' : 'refund_returned';
      return { kind, id: source.id, amount: source.amount, currency: source.currency };
    }
    case 'dispute': {
      const kind = net < 0 ? 'dispute' : 'dispute_returned';
      return { kind, id: source.id, amount: source.amount, currency: source.currency };
    }
    default:
      return null;
  }
}
