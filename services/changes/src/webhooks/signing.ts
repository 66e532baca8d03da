import { createHmac, type KeyObject, sign as signAsymmetric } from 'node:crypto';

/** What a delivery is signed with: one signature per secret, and one of the private key. */
export interface SigningKeys {
  /** The bytes of the secrets, the present one first. */
  secrets: readonly Buffer[];
  /** The Ed25519 private key. */
  signingKey: KeyObject;
}

/**
 * The value of the header `webhook-signature`, as Standard Webhooks 1.0 defines it: `v1,<base64>`
 * for each secret (HMAC-SHA256) and `v1a,<base64>` (Ed25519), separated by spaces. Each signs
 * `<id>.<timestamp>.<body>`. `timestamp` is in whole seconds; `body` must be exactly the text that
 * is sent.
 */
export function sign(
  body: string,
  { id, timestamp, secrets, signingKey }: SigningKeys & { id: string; timestamp: number },
): string {
  const content = Buffer.from(`${id}.${timestamp}.${body}`, 'utf8');
  const symmetric = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  return [...symmetric, `v1a,${signAsymmetric(null, content, signingKey).toString('base64')}`].join(
    ' ',
  );
}
