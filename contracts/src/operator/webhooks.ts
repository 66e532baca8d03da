import { z } from 'zod';
import { operation } from '../operation.ts';

export const reencryptWebhookSecrets = operation({
  method: 'POST',
  url: '/operator/webhook.reencrypt',
  config: {
    tag: 'Webhooks',
    owner: 'changes',
    audience: 'operator',
    operationId: 'webhook.reencrypt',
    permission: 'platform',
    summary: 'Encrypt the secrets of all webhook endpoints with the newest key',
    description:
      'Run it during a rotation of `webhook-secrets`, after the step `use` and its rollout, and before `finish`: afterwards no secret needs the replaced key. It can be repeated.',
  },
  schema: {
    body: z.object({}),
    response: {
      200: z.object({
        endpoints: z.int().meta({ description: 'Number of webhook endpoints.' }),
        reencrypted: z.int().meta({ description: 'Number of those with a replaced key.' }),
      }),
    },
  },
});
