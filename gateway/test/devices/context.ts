import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { newId } from '@event-api/platform/core/ids';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from '../harness.ts';

/**
 * The gateway of the test file, and a gateway of which a test can disable a guard, with the same
 * database.
 */
export let gateway: TestGateway;
/** The services behind them. */
export let upstream: Awaited<ReturnType<typeof startUpstream>>;

const eventId = newId('evt');
const former = newId('ven');
export const doors = { event: eventId, session: newId('ses'), venue: newId('ven'), former };
export const event = { id: eventId, name: 'Summit', timezone: 'Europe/Berlin' };

/** When the event ends, which a test sets. */
let endsAt: string | null = null;
export const setEnd = (at: string | null): void => {
  endsAt = at;
};

const door = (subjectType: string, subjectId: string, name: string | null) => ({
  subjectType,
  subjectId,
  name,
  checkedIn: 3,
  lastCheckinAt: null,
});
const summary = {
  checkedIn: 3,
  lastCheckinAt: null,
  doors: [
    door('event', doors.event, null),
    door('session', doors.session, 'Keynote'),
    door('venue', doors.venue, 'Main hall'),
    // It does not exist any more.
    door('venue', doors.former, null),
  ],
};

/** Responds as catalog and onsite do for one event. */
export const services: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === `/v1/events/${eventId}`)
    return response.end(JSON.stringify({ ...event, endsAt }));
  if (request.url === `/v1/events/${eventId}/checkins/summary`)
    return response.end(JSON.stringify(summary));
  if (request.url === `/v1/events/${eventId}/checkins/roster`) return response.end('{}');
  response.statusCode = request.method === 'POST' ? 200 : 404;
  response.end('{"error":{"code":404,"status":"NOT_FOUND","message":"Not found"}}');
};

/**
 * Starts the gateways and the services. The variables of this module are set before the first test.
 */
export function useDevices(options: { now?: () => Date } = {}): void {
  const clock = { now: options.now ?? (() => new Date()) };
  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.respondWith(services);
    gateway = await startGateway({ catalogUrl: upstream.url, clock });
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
  });
}

export const clientOf = (secret: string, of = gateway) =>
  httpClient(of.apiUrl, { authorization: `Bearer ${secret}` });

export const newInstallation = () => randomUUID();

/** Creates a business unit with a pairing code for the event and two of its doors. */
export async function newCode(fields: Record<string, unknown> = {}) {
  const unit = fields.businessUnitId
    ? { id: fields.businessUnitId as string }
    : await gateway.run('unit.create', { name: 'Test unit' });
  const created = await gateway.run('device.pair', {
    businessUnitId: unit.id,
    eventId,
    name: 'North entrance',
    doors: [
      { subjectType: 'event', subjectId: eventId },
      { subjectType: 'venue', subjectId: doors.venue },
    ],
    ...fields,
  });
  return { unitId: unit.id as string, created, code: created.code as string };
}

/** Pairs a device with a new code. */
export async function newDevice(fields: Record<string, unknown> = {}, id = newInstallation()) {
  const { code, unitId } = await newCode(fields);
  const body = { installationId: id };
  const { status, body: paired } = await clientOf(code)('POST', '/v1/device/pair', { body });
  if (status !== 200) throw new Error(`pairing responded with ${JSON.stringify(paired)}`);
  const token = paired.token as string;
  return { unitId, code, token, device: paired.device, client: clientOf(token) };
}
