import { createHmac, randomBytes } from 'node:crypto';

/** A secret as webhook endpoints have one. */
export const createSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** The headers with which the platform signs a webhook. */
export function signedHeaders(
  secret: string,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
