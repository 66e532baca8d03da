import {
  maxNotificationBytes,
  notificationPath,
  verifiedSignatureHeader,
} from '@event-api/contracts/internal/notifications';
import { systemClock } from '@event-api/platform/core/clock';
import { invalidArgument, notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { CommerceMetrics } from '../metrics.ts';
import { recordDecline } from '../payments/payments.queries.ts';
import type { PaymentProvider, VerifiedNotification } from '../payments/providers/provider.ts';
import { unstorableIssue } from '../settlements/settlements.rules.ts';
import type { PaymentReceiver } from './receive-payment.ts';

/**
 * `POST /payments/notifications/<provider>`, forwarded by the gateway: verifies the signature over
 * the raw bytes and records the payment, the declined card, the refund or the dispute before it
 * responds. `payments` then applies a payment or a refund to its order. Only the configured provider
 * has a route.
 * Errors: 400 for an invalid signature, and for a payment, a refund or a dispute with fields that
 * cannot be read or stored.
 */
export function notificationRoutes(
  app: HttpServer,
  deps: {
    db: Database;
    provider: PaymentProvider;
    metrics: CommerceMetrics;
    payments: Pick<PaymentReceiver, 'receive' | 'receiveRefund' | 'receiveDispute'>;
  },
): void {
  const { db, provider, metrics, payments } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxNotificationBytes },
    (_, body, done) => done(null, body),
  );
  app.route({
    method: 'POST',
    url: notificationPath,
    config: { audience: 'notification', skipReadAfter: true },
    handler: async (request, reply) => {
      const { provider: requestedProvider } = request.params as { provider: string };
      if (requestedProvider !== provider.name) throw notFound();
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const verified = provider.verifyNotification(raw, request.headers, systemClock.now());
      const rejected = rejection(verified);
      if (rejected) {
        const { outcome, field, issue } = rejected;
        metrics.notificationProcessed(outcome);
        const about = { provider: provider.name, reason: `${field} ${issue}` };
        if (outcome === 'unreadable') {
          void reply.header(verifiedSignatureHeader, 'true');
          request.log.error(
            { alarm: 'notification_unreadable', ...about },
            'notification rejected',
          );
        } else request.log.warn(about, 'notification rejected');
        throw invalidArgument([{ field, issue, code: 'invalid_value' }]);
      }
      if (verified.outcome === 'payment') {
        await payments.receive(verified.notification);
      }
      // Those of test mode must not appear in orders of live mode, nor the other way round.
      if (verified.outcome === 'declined' && isOfMode(verified.decline, provider)) {
        await recordDecline(db, provider.name, verified.decline);
      }
      if (verified.outcome === 'refund' && isOfMode(verified.refund, provider)) {
        await payments.receiveRefund(verified.refund);
      }
      if (verified.outcome === 'dispute' && isOfMode(verified.dispute, provider)) {
        await payments.receiveDispute(verified.dispute);
      }
      metrics.notificationProcessed(verified.outcome === 'payment' ? 'received' : verified.outcome);
      return reply.send({ received: true });
    },
  });
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
    case 'ignored':
      return null;
  }
}
