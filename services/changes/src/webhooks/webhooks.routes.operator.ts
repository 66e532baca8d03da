import { reencryptWebhookSecrets } from '@event-api/contracts/operator/webhooks';
import { auditInParts } from '@event-api/platform/audit/write';
import type { HttpServer } from '@event-api/platform/http/server';
import { reencryptSecrets } from './reencrypt.ts';
import type { WebhookDeps } from './webhooks.commands.ts';

export function webhookOperatorRoutes(app: HttpServer, { db, keyRing }: WebhookDeps): void {
  app.route({
    ...reencryptWebhookSecrets,
    handler: () => auditInParts(db, () => reencryptSecrets(db, keyRing)),
  });
}
