import { createHmac, timingSafeEqual } from 'node:crypto';

const hmac = (secret: string, seconds: number, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();

/**
 * `t=<seconds>,v1=<HMAC-SHA-256 over "t.body">`: authenticates the body and the time of sending.
 */
export function sign(secret: string, now: Date, body: Buffer): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${hmac(secret, seconds, body).toString('hex')}`;
}

/**
 * Whether one of the secrets signed this body, at most `toleranceSeconds` before or after `now`.
 */
export function verify(options: {
  secrets: readonly string[];
  header: string | undefined;
  body: Buffer;
  now: Date;
  toleranceSeconds: number;
}): boolean {
  const { secrets, header, body, now, toleranceSeconds } = options;
  const match = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match) return false;
  const seconds = Number(match[1]);
  if (Math.abs(now.getTime() / 1000 - seconds) > toleranceSeconds) return false;
  const presented = Buffer.from(match[2] ?? '', 'hex');
  return secrets.some((secret) => timingSafeEqual(hmac(secret, seconds, body), presented));
}
