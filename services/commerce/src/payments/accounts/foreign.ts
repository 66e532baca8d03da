import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { VerifiedNotification } from '../providers/provider.ts';

/** The payment that a notification names, as far as it names it. */
interface Named {
  kind: 'payment' | 'decline' | 'refund' | 'dispute';
  objectId: string;
  sessionId: string | null;
  attemptId: string | null;
  providerPaymentId: string | null;
  refundId: string | null;
}

// A refund is of the account of its settlement, whatever account reports it.
const owners = statement<{ provider: string }>(
  'payment_owners',
  `select p.provider from commerce.payment p where p.session_id = $1
   union select p.provider from commerce.payment p where p.id = $2
   union select s.provider from commerce.settlement s where s.provider_payment_id = $3
   union select s.provider from commerce.refund r join commerce.settlement s on s.id = r.settlement_id where r.id = $4`,
);

const insert = statement(
  'foreign_notification_insert',
  `insert into commerce.foreign_notification (provider, kind, object_id, owned_by, received_at)
   select $1, $2, $3, $4, clock_timestamp()
   where (select count(*) from (select from commerce.foreign_notification f where f.provider = $1 limit $5) x) < $5
   on conflict do nothing`,
);

/** Limits the stored notifications of an account: its owner can send any number. */
const maxPerAccount = 1000;

export type Origin =
  /** It names a payment of the account that has sent it, or none that is known. */
  | { outcome: 'own'; isKnown: boolean }
  | { outcome: 'foreign'; kind: Named['kind']; ownedBy: string };

/**
 * Decides whether a notification that the account `name` has sent is about a payment of that
 * account. One about another account's payment is recorded once, at most 1000 of an account.
 */
export async function decideOrigin(
  db: Db,
  name: string,
  verified: VerifiedNotification,
): Promise<Origin> {
  const named = namedBy(verified);
  if (named === null) return { outcome: 'own', isKnown: false };
  const { kind, objectId, sessionId, attemptId, providerPaymentId, refundId } = named;
  const rows = await db.query(owners, [sessionId, attemptId, providerPaymentId, refundId]);
  const other = rows.find(({ provider }) => provider !== name);
  if (other === undefined) return { outcome: 'own', isKnown: rows.length > 0 };
  await db.query(insert, [name, kind, objectId, other.provider, maxPerAccount]);
  return { outcome: 'foreign', kind, ownedBy: other.provider };
}

function namedBy(verified: VerifiedNotification): Named | null {
  const none = { sessionId: null, attemptId: null, providerPaymentId: null, refundId: null };
  switch (verified.outcome) {
    case 'payment': {
      const { sessionId, attemptId, payment } = verified.notification;
      const providerPaymentId = payment?.paymentId ?? null;
      return {
        ...none,
        kind: 'payment',
        objectId: sessionId,
        sessionId,
        attemptId,
        providerPaymentId,
      };
    }
    case 'declined': {
      const { declineId, sessionId, attemptId } = verified.decline;
      return { ...none, kind: 'decline', objectId: declineId, sessionId, attemptId };
    }
    case 'refund': {
      const { providerRefundId, paymentId, refundId } = verified.refund;
      const refund = { kind: 'refund', objectId: providerRefundId } as const;
      return { ...none, ...refund, providerPaymentId: paymentId, refundId };
    }
    case 'dispute': {
      const { disputeId, paymentId } = verified.dispute;
      return { ...none, kind: 'dispute', objectId: disputeId, providerPaymentId: paymentId };
    }
    default:
      return null;
  }
}
