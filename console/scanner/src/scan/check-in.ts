import { type Response, send } from '../api/client.ts';
import type { Door, Pairing } from '../api/device.ts';
import { decideVerdict, type Verdict } from './verdict.ts';

const attempts = 3;
const pauseMs = 300;

/**
 * Checks a badge in at a door. Without a response it is sent again with the same `Idempotency-Key`, so that a lost response
 * causes no second effect. Resolves with `undecided` after three attempts. The last attempt may have been recorded nevertheless;
 * the next scan of the badge shows it.
 */
export async function checkIn(
  { token, device }: Pairing,
  { subjectType, subjectId }: Door,
  checkinCode: string,
  method: 'scan' | 'manual',
): Promise<Verdict> {
  const idempotencyKey = crypto.randomUUID();
  const body = {
    checkinCode,
    subjectType,
    ...(subjectType !== 'event' && { subjectId }),
    method,
  };
  let response: Response = { status: null };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    response = await send({
      method: 'POST',
      path: `/v1/events/${encodeURIComponent(device.event.id)}/checkins`,
      bearer: token,
      body,
      idempotencyKey,
    });
    if (decideVerdict(response).kind !== 'undecided' || !navigator.onLine) break;
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
  return decideVerdict(response);
}
