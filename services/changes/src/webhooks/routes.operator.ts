import { reencryptWebhookSecrets } from '@event-api/contracts/operator/webhooks';
import { auditInParts } from '@event-api/platform/audit/write';
import type { HttpServer } from '@event-api/platform/http/server';
import type { WebhookDeps } from './commands.ts';
import { reencryptSecrets } from './reencrypt.ts';

export function webhookOperatorRoutes(app: HttpServer, { db, keyRing }: WebhookDeps): void {
  app.route({
    ...reencryptWebhookSecrets,
    handler: () => auditInParts(db, () => reencryptSecrets(db, keyRing)),
  });
}
