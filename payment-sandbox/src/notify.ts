import { randomBytes } from 'node:crypto';
import type { Logger } from '@event-api/platform/log';
import { createPause } from '@event-api/platform/pause';
import type { Session } from './sessions.ts';
import { sign, signatureHeader } from './signature.ts';

/** How often a notification is sent before it is given up; the waits between grow from 200 ms to a minute. */
const attempts = 60;

export interface Notifier {
  /** Tells the platform of a payment, `copies` times, after `delayMs`; each is repeated until it is answered with a 2xx. */
  tell(session: Session, options?: { copies?: number; delayMs?: number }): void;
  close(): Promise<void>;
}

export function createNotifier(options: {
  url: string;
  secrets: readonly string[];
  now: () => Date;
  log: Logger;
}): Notifier {
  const { url, secrets, now, log } = options;
  const pauses = new Set<ReturnType<typeof createPause>>();
  const running = new Set<Promise<void>>();
  let closed = false;

  async function wait(ms: number): Promise<void> {
    const pause = createPause();
    pauses.add(pause);
    await pause.lasting(ms);
    pauses.delete(pause);
  }

  async function send(body: Buffer): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Signed anew each time: a repeat must not look like an old one.
          [signatureHeader]: sign(secrets[0] ?? '', now(), body),
        },
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(5000),
        redirect: 'error',
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  async function deliver(session: Session, delayMs: number): Promise<void> {
    const body = Buffer.from(JSON.stringify(notificationOf(session)));
    if (delayMs > 0) await wait(delayMs);
    for (let attempt = 1; attempt <= attempts && !closed; attempt++) {
      if (await send(body)) return;
      await wait(Math.min(60_000, 200 * 2 ** (attempt - 1)));
    }
    // Not the session's id: whoever knows it can open the payment page.
    if (!closed) log.error({ attemptId: session.attemptId }, 'a notification was given up');
  }

  return {
    tell(session, { copies = 1, delayMs = 0 } = {}) {
      for (let copy = 0; copy < copies; copy++) {
        const delivery = deliver(session, delayMs).finally(() => running.delete(delivery));
        running.add(delivery);
      }
    },
    async close() {
      closed = true;
      for (const pause of pauses) pause.end();
      await Promise.all(running);
    },
  };
}

const notificationOf = (session: Session) => ({
  id: `evt_${randomBytes(12).toString('hex')}`,
  type: 'session.paid',
  session: {
    id: session.id,
    attemptId: session.attemptId,
    orderId: session.orderId,
    paymentId: session.paymentId,
    amount: session.receivedAmount,
    currency: session.receivedCurrency,
  },
});
