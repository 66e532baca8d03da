import type { Change } from './generated/types.gen.ts';

const toleranceSeconds = 300;

/** The body of a webhook: a change, or a ping, which is only acknowledged. */
export type WebhookPayload =
  | Change
  | { type: 'ping'; id: string; occurredAt: string; object: { type: string; id: string } };

/** The request does not come from the API, or it is older than five minutes. Respond with a 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface WebhookRequest {
  /**
   * The `secret` of the endpoint, or its `publicKey` for a receiver that must not hold a secret.
   */
  key: string;
  /** The headers of the request, as `Headers` or as an object with names in lower case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived, before it is parsed. */
  body: string;
  /** Replaces the present time. */
  now?: Date;
}

/**
 * Verifies the signature and the time of a webhook. Returns its payload. A change can arrive more
 * than once: its id is the same in every attempt. Errors: WebhookVerificationError.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookPayload> {
  const { key, headers, body, now = new Date() } = request;
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === 'string' ? value : '';
  };
  const timestamp = read('webhook-timestamp');
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp || Number.NaN));
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError('the timestamp is more than five minutes away');
  }
  const content = new TextEncoder().encode(`${read('webhook-id')}.${timestamp}.${body}`);
  const { version, verify } = await importKey(key);
  for (const signature of read('webhook-signature').split(' ')) {
    const [signedWith, value = ''] = signature.split(',');
    const bytes = signedWith === version ? decode(value) : null;
    if (bytes && (await verify(bytes, content))) return JSON.parse(body) as WebhookPayload;
  }
  throw new WebhookVerificationError('no signature matches');
}

type Bytes = Uint8Array<ArrayBuffer>;

/** `v1` is HMAC-SHA256 with the secret, `v1a` is Ed25519 with the public key. */
async function importKey(key: string): Promise<{
  version: 'v1' | 'v1a';
  verify: (signature: Bytes, content: Bytes) => Promise<boolean>;
}> {
  const [, prefix, value = ''] = /^(whsec_|whpk_)(.+)$/.exec(key) ?? [];
  const raw = decode(value);
  if (!raw) throw new WebhookVerificationError('the key begins with whsec_ or whpk_');
  const isSecret = prefix === 'whsec_';
  const algorithm = isSecret ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' };
  const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  return {
    version: isSecret ? 'v1' : 'v1a',
    verify: (signature, content) =>
      crypto.subtle.verify(algorithm.name, imported, signature, content),
  };
}

/** Decodes base64. Returns null for text that is empty or not base64. */
function decode(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 ? bytes : null;
  } catch {
    return null;
  }
}
