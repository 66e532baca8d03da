import {
  maxNotificationBytes,
  notificationPath,
  unitNotificationPath,
  verifiedSignatureHeader,
} from '@event-api/contracts/internal/notifications';
import { systemClock } from '@event-api/platform/core/clock';
import { invalidArgument, notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { CommerceMetrics } from '../metrics.ts';
import {
  findAccount,
  findAtProvider,
  listAccounts,
} from '../payments/accounts/accounts.queries.ts';
import { accountIdOf, accountName } from '../payments/accounts/accounts.rules.ts';
import { decideOrigin, type Origin } from '../payments/accounts/foreign.ts';
import { type AccountSettings, onAccount } from '../payments/accounts/provider-of.ts';
import { refreshAccount } from '../payments/accounts/refresh.ts';
import { recordDecline } from '../payments/payments.queries.ts';
import type { PaymentProvider, VerifiedNotification } from '../payments/providers/provider.ts';
import { unstorableIssue } from '../settlements/settlements.rules.ts';
import type { PaymentReceiver } from './receive-payment.ts';

/**
 * `POST /payments/notifications/<provider>`, forwarded by the gateway: verifies the signature over
 * the raw bytes and records the payment, the declined card, the refund or the dispute before it
 * responds. `payments` then applies a payment or a refund to its order. Only the configured provider
 * has a route. The path with a business unit is that of the unit's own accounts: the one whose secret
 * verifies the signature has sent the notification. Those of accounts that are connected to the
 * platform have the path of the platform and name their account. An account reports about its own
 * payments only: what names a payment of another account is recorded, counted and logged, and has
 * no effect.
 * Errors: 400 for an invalid signature, and for a payment, a refund or a dispute with fields that
 * cannot be read or stored.
 */
export function notificationRoutes(
  app: HttpServer,
  deps: {
    db: Database;
    provider: PaymentProvider;
    accounts: AccountSettings;
    metrics: CommerceMetrics;
    payments: Pick<PaymentReceiver, 'receive' | 'receiveRefund' | 'receiveDispute'>;
  },
): void {
  const { db, provider, metrics, payments } = deps;

  /** The accounts that may have sent a notification. */
  async function findSenders(businessUnitId: string | undefined): Promise<PaymentProvider[]> {
    if (businessUnitId === undefined) return [provider];
    const accounts = await listAccounts(db, businessUnitId, provider.name);
    return accounts
      .filter(({ secretKey }) => secretKey !== null)
      .map((account) => onAccount(deps, account));
  }

  /**
   * The name of the account that a verified notification is from: the one whose secret signs it, or
   * the connected account that it names. Null for a connected account of another platform.
   */
  async function nameOfSender(signer: PaymentProvider, raw: Buffer): Promise<string | null> {
    const connected = signer === provider ? provider.connectedAccountOf(raw) : null;
    if (connected === null) return signer.name;
    const account = await findAtProvider(db, provider.name, connected);
    return account && accountName(provider.name, account.id);
  }

  async function refresh(sender: string): Promise<void> {
    const id = accountIdOf(sender);
    const account = id === null ? null : await findAccount(db, id);
    if (account) await refreshAccount(deps, account);
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxNotificationBytes },
    (_, body, done) => done(null, body),
  );
  for (const url of [notificationPath, unitNotificationPath]) {
    app.route({
      method: 'POST',
      url,
      config: { audience: 'notification', skipReadAfter: true },
      handler: async (request, reply) => {
        const { provider: name, businessUnitId } = request.params as {
          provider: string;
          businessUnitId?: string;
        };
        if (name !== provider.name) throw notFound();
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const senders = await findSenders(businessUnitId);
        const { signer, verified } = verify(senders, raw, request.headers);
        const sender = signer ? await nameOfSender(signer, raw) : provider.name;
        if (sender === null) {
          metrics.notificationProcessed('ignored');
          return reply.send({ received: true });
        }
        const rejected = rejection(verified);
        if (rejected) {
          const { outcome, field, issue } = rejected;
          metrics.notificationProcessed(outcome);
          const about = { provider: sender, reason: `${field} ${issue}` };
          if (outcome === 'unreadable') {
            void reply.header(verifiedSignatureHeader, 'true');
            request.log.error(
              { alarm: 'notification_unreadable', ...about },
              'notification rejected',
            );
          } else request.log.warn(about, 'notification rejected');
          throw invalidArgument([{ field, issue, code: 'invalid_value' }]);
        }
        const origin = await decideOrigin(db, sender, verified);
        if (origin.outcome === 'foreign') {
          const { kind, ownedBy } = origin;
          const about = { alarm: 'notification_foreign', provider: sender, kind, ownedBy };
          request.log.error(about, 'notification about a payment of another account ignored');
        } else if (verified.outcome === 'payment' && isOwnBusiness(sender, verified, origin)) {
          await payments.receive(verified.notification, sender);
        }
        // Declined cards, refunds and disputes of the other mode must not appear in orders.
        else if (verified.outcome === 'declined' && isOfMode(verified.decline, provider)) {
          await recordDecline(db, sender, verified.decline);
        } else if (verified.outcome === 'refund' && isOfMode(verified.refund, provider)) {
          await payments.receiveRefund(verified.refund, sender);
        } else if (verified.outcome === 'dispute' && isOfMode(verified.dispute, provider)) {
          await payments.receiveDispute(verified.dispute, sender);
        } else if (verified.outcome === 'account_changed') await refresh(sender);
        metrics.notificationProcessed(outcomeOf(origin, verified));
        return reply.send({ received: true });
      },
    });
  }
}

/** The account whose secret has signed a notification, and what the notification says. */
function verify(
  senders: readonly PaymentProvider[],
  raw: Buffer,
  headers: Parameters<PaymentProvider['verifyNotification']>[1],
): { signer: PaymentProvider | null; verified: VerifiedNotification } {
  for (const signer of senders) {
    const verified = signer.verifyNotification(raw, headers, systemClock.now());
    if (verified.outcome !== 'invalid_signature') return { signer, verified };
  }
  return { signer: null, verified: { outcome: 'invalid_signature' } };
}

/**
 * The own account of a unit also receives payments that have nothing to do with this platform: such
 * a payment names no attempt.
 */
const isOwnBusiness = (
  sender: string,
  { notification }: Extract<VerifiedNotification, { outcome: 'payment' }>,
  { isKnown }: { isKnown: boolean },
): boolean => isKnown || notification.attemptId !== null || accountIdOf(sender) === null;

function outcomeOf(origin: Origin, { outcome }: VerifiedNotification) {
  if (origin.outcome === 'foreign') return 'foreign';
  return outcome === 'payment' ? 'received' : outcome;
}

const isOfMode = (
  { livemode }: { livemode: boolean | null },
  expected: { livemode: boolean },
): boolean => livemode === null || livemode === expected.livemode;

/** Why a notification is rejected with a 400; null if it is accepted. */
function rejection(
  verified: VerifiedNotification,
): { outcome: 'invalid_signature' | 'unreadable'; field: string; issue: string } | null {
  switch (verified.outcome) {
    case 'invalid_signature':
      return {
        outcome: 'invalid_signature',
        field: 'body',
        issue: 'is not signed by the payment provider',
      };
    case 'unreadable':
      return verified;
    case 'payment': {
      const found = unstorableIssue(verified.notification);
      return found && { outcome: 'unreadable', ...found };
    }
    case 'declined': {
      const found = unstorableIssue({ ...verified.decline, payment: null });
      return found && { outcome: 'unreadable', ...found };
    }
    case 'refund': {
      const found = unstorableIssue({ ...verified.refund, payment: null });
      return found && { outcome: 'unreadable', ...found };
    }
    case 'dispute': {
      const found = unstorableIssue({ ...verified.dispute, payment: null });
      return found && { outcome: 'unreadable', ...found };
    }
    case 'account_changed':
    case 'ignored':
      return null;
  }
}
