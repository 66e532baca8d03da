import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { onsite, scope } from '../context.ts';
import { succeeded, unique } from '../fixtures.ts';

type Fields = Record<string, unknown>;

/** A client of a device at the event of the test. */
export async function device(id: string, doors?: readonly string[]): Promise<HttpClient> {
  const gateway = await onsite.callers.signer('gateway');
  const token = await gateway.sign({
    audience: 'api',
    businessUnitId: scope.businessUnitId,
    defaultCurrency: 'EUR',
    actor: { type: 'device', id },
    permissions: ['doors', 'device'],
    events: [scope.eventId],
    doors: doors ?? null,
  });
  return httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
}

/** A scan at the door of the event that has let somebody in. */
export const scanOf = (fields: Fields): Fields & { scanId: string } => ({
  scanId: unique('scan'),
  subjectType: 'event',
  scannedAt: new Date().toISOString(),
  decision: 'admitted',
  ...fields,
});

/** Sends a batch. */
export const send = (client: HttpClient, scans: readonly Fields[]) =>
  client('POST', `/v1/events/${scope.eventId}/checkins/batch`, {
    body: { sentAt: new Date().toISOString(), scans },
  });

/** Sends a batch and returns the results of its scans. */
export const report = async (client: HttpClient, scans: readonly Fields[]) =>
  succeeded(await send(client, scans)).results;
