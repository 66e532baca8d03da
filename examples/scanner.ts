// A scanner at a door. A scanner on USB or Bluetooth types the code of a badge and presses Enter.
//   EVENT_API_KEY=rk_… EVENT_ID=evt_… node examples/scanner.ts
// SESSION_ID makes it the door of a session. A key with the group doors is sufficient.
import { createInterface } from 'node:readline';
import {
  createCheckin,
  createClient,
  EventApiConnectionError,
  EventApiError,
} from '@event-api/client';
import { api, setting } from './settings.ts';

// People wait: a scan fails after five seconds rather than after a minute.
const client = createClient({ ...api(), attemptTimeoutMs: 2000, deadlineMs: 5000 });
const path = { eventId: setting('EVENT_ID') };
const sessionId = process.env.SESSION_ID;
const door = sessionId
  ? { subjectType: 'session' as const, subjectId: sessionId }
  : { subjectType: 'event' as const };

/** One line for the person at the door. */
async function scan(checkinCode: string): Promise<string> {
  try {
    const body = { ...door, checkinCode, method: 'scan' as const };
    const { registration, alreadyCheckedIn } = await createCheckin({ client, path, body });
    const name = registration.name ?? 'guest';
    return alreadyCheckedIn ? `AGAIN  ${name} is already in` : `OK     welcome, ${name}`;
  } catch (error) {
    if (error instanceof EventApiConnectionError) return 'RETRY  no connection, scan again';
    if (error instanceof EventApiError) return `NO     ${explain(error)}`;
    throw error;
  }
}

function explain({ httpStatus, reason, details, message }: EventApiError): string {
  if (httpStatus === 404) return 'not a badge of this event';
  if (reason === 'NOT_CONFIRMED') return `the registration is ${details[0]?.registrationStatus}`;
  if (reason === 'BADGE_REPLACED') return 'this badge was replaced by another one';
  if (reason === 'GATE_CLOSED') {
    const perks = details[0]?.perks?.map(({ id, name }) => name ?? id) ?? [];
    return `the ticket does not include ${perks.join(' or ')}`;
  }
  return message;
}

console.log('scan a badge');
for await (const line of createInterface({ input: process.stdin })) {
  const code = line.trim();
  if (code !== '') console.log(await scan(code));
}
