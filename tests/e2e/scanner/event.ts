import { pairDevice } from '@event-api/contracts/operator/devices';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { createVenue } from '@event-api/contracts/operator/program';
import { httpClient } from '@event-api/platform/testing/http-client';
import { type Steps, stepsOf } from '../examples/steps.ts';
import type { PlatformFixture } from '../fixtures/platform.ts';

interface Door {
  subjectType: 'event' | 'venue';
  subjectId: string;
}

export interface Person {
  id: string;
  checkinCode: string;
}

/** What a scanner needs of a platform. */
export type ScannerPlatform = Pick<PlatformFixture, 'baseUrl' | 'operator'> & {
  newUnit(options?: { rateLimitPerMinute?: number }): Promise<{ unitId: string; secret: string }>;
};

/** A published event with an entrance, and a lounge for which a seat is not enough. */
export interface ScannerEvent {
  unitId: string;
  /** `/v1/events/…` */
  path: string;
  steps: Steps;
  entrance: Door;
  lounge: Door;
  /** Registers a person with a seat. */
  register(name: string, email?: string): Promise<Person>;
  /** Live check-ins of a person at the entrance. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they check.
  checkinsOf(registrationId: string): Promise<any[]>;
  /**
   * Creates a device. Returns its id, the address that pairs a browser, as its QR code has it, and
   * the short code beside the QR.
   */
  newDevice(options: {
    doors: Door[];
    showNames?: boolean;
    name?: string;
  }): Promise<{ id: string; url: string; shortCode: string }>;
}

export async function newScannerEvent(
  platform: ScannerPlatform,
  { name: eventName = 'Summit' }: { name?: string } = {},
): Promise<ScannerEvent> {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  const steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  const { id: eventId } = await steps.create('/v1/events', {
    name: eventName,
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  });
  const path = `/v1/events/${eventId}`;
  await steps.patch(path, { status: 'published' });
  const createTicket = async (name: string): Promise<string> => {
    const { id } = await steps.create(`${path}/ticket-types`, { name });
    await steps.patch(`${path}/ticket-types/${id}`, { status: 'open' });
    return id;
  };
  const registrationTypeId = await createTicket('Seat');
  const targetId = await createTicket('VIP');
  const scope = { businessUnitId: unitId, eventId };
  const { operator } = platform;
  const { id: perkId } = await operator.call(createPerk, { ...scope, name: 'Lounge access' });
  const target = { targetType: 'registration_type', targetId } as const;
  await operator.call(bindPerk, { ...scope, perkId, ...target });
  const venue = { ...scope, name: 'Lounge', perkIds: [perkId] };
  const { id: loungeId } = await operator.call(createVenue, venue);
  return {
    ...{ unitId, path, steps },
    entrance: { subjectType: 'event', subjectId: eventId },
    lounge: { subjectType: 'venue', subjectId: loungeId },
    async register(name, email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`) {
      const person = { email, name, registrationTypeId };
      return (await steps.create(`${path}/registrations`, person)).registration;
    },
    async checkinsOf(registrationId) {
      const query = `registrationId=${registrationId}&subjectType=event`;
      return (await steps.get(`${path}/checkins?${query}`)).checkins;
    },
    async newDevice({ doors, showNames = false, name = 'North entrance' }) {
      const device = { ...scope, name, doors, showNames };
      const { id, code, shortCode } = await operator.call(pairDevice, device);
      return { id, url: `${platform.baseUrl}/scanner/#${code}`, shortCode: shortCode ?? '' };
    },
  };
}
