import { systemClock } from '@event-api/platform/clock';
import type { Database } from '@event-api/platform/db/database';
import { invalidArgument, notFound } from '@event-api/platform/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { receiveSettlement } from './receive.ts';

/**
 * `POST /payments/notifications/<provider>`, asked by the gateway in the provider's name: the raw bytes are
 * judged by their signature, and what they tell is kept before they are answered. Only the provider that is
 * configured has a route.
 */
export function notificationRoutes(
  app: HttpServer,
  deps: { db: Database; provider: PaymentProvider; onReceived: () => void },
): void {
  const { db, provider, onReceived } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256 * 1024 }, (_, body, done) =>
    done(null, body),
  );
  app.route({
    method: 'POST',
    url: '/payments/notifications/:provider',
    config: { audience: 'notification', restsOnNoCopy: true },
    handler: async (request, reply) => {
      const { provider: asked } = request.params as { provider: string };
      if (asked !== provider.name) throw notFound();
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const verified = provider.verifyNotification(raw, request.headers, systemClock.now());
      if (verified.outcome === 'forged') {
        throw invalidArgument([
          { field: 'body', issue: 'is not signed by the payment provider', code: 'invalid_value' },
        ]);
      }
      if (verified.outcome === 'payment') {
        await receiveSettlement(db, provider.name, verified.notification);
        onReceived();
      }
      return reply.send({ received: true });
    },
  });
}
