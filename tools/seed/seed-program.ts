import {
  type Client,
  createCheckin,
  getExhibitor,
  listAll,
  listExhibitors,
  listRegistrations,
  listSessions,
  listSpeakers,
  listVenues,
} from '@event-api/client';
import {
  addMember,
  allocateBooth,
  confirmExhibitor,
  createExhibitor,
  declineExhibitor,
} from '@event-api/contracts/operator/exhibitors';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import type { OperatorClient } from '../admin/operator-client.ts';
import { demoCheckins, demoExhibitors, demoSessions, demoSpeakers, demoVenues } from './program.ts';
import type { Ids } from './seed-registrations.ts';

interface Program {
  client: Client;
  operator: OperatorClient;
  scope: { businessUnitId: string; eventId: string };

  startsAt: string;
  perks: Ids;
  /** The first registration of each ticket type, by the name of the type. */
  registrations: Ids;
}

/** Creates venues, sessions, speakers, exhibitors and check-ins. */
export async function ensureProgram(program: Program): Promise<void> {
  const venues = await ensureVenues(program);
  const sessions = await ensureSessions(program, venues);
  await ensureSpeakers(program, sessions);
  await ensureExhibitors(program, venues);
  await ensureCheckins(program, venues);
}

const idOf = (ids: Ids, name: string): string => ids.get(name) ?? '';

const pathOf = ({ scope }: Program) => ({ eventId: scope.eventId });

const optionsOf = (program: Program) => ({ client: program.client, path: pathOf(program) });

/** Ids of the existing records of a list, by name. */
async function idsByName<Row extends { id: string }>(
  list: AsyncIterable<Row>,
  nameOf: (row: Row) => string,
): Promise<Ids> {
  const ids: Ids = new Map();
  for await (const row of list) ids.set(nameOf(row), row.id);
  return ids;
}

async function ensureVenues(program: Program): Promise<Ids> {
  const { operator, scope, perks } = program;
  const ids = await idsByName(listAll(listVenues, optionsOf(program)), ({ name }) => name);
  for (const { gate, ...venue } of demoVenues) {
    if (ids.has(venue.name)) continue;
    const perkIds = gate.map((name) => idOf(perks, name));
    ids.set(venue.name, (await operator.call(createVenue, { ...scope, ...venue, perkIds })).id);
  }
  return ids;
}

async function ensureSessions(program: Program, venues: Ids): Promise<Ids> {
  const { operator, scope, perks } = program;
  const ids = await idsByName(listAll(listSessions, optionsOf(program)), ({ title }) => title);
  for (const { gate, room, day, hour, minutes, ...session } of demoSessions) {
    if (ids.has(session.title)) continue;
    const begin = Date.parse(program.startsAt) + (day * 24 + hour) * 3_600_000;
    const created = await operator.call(createSession, {
      ...scope,
      ...session,
      startsAt: new Date(begin).toISOString(),
      endsAt: new Date(begin + minutes * 60_000).toISOString(),
      venueId: room === null ? null : idOf(venues, room),
      perkIds: gate.map((name) => idOf(perks, name)),
    });
    ids.set(session.title, created.id);
  }
  return ids;
}

async function ensureSpeakers(program: Program, sessions: Ids): Promise<void> {
  const { operator, scope, registrations } = program;
  const existing = await idsByName(listAll(listSpeakers, optionsOf(program)), ({ name }) => name);
  for (const { sessions: titles, isRegistered, ...speaker } of demoSpeakers) {
    if (existing.has(speaker.name)) continue;
    await operator.call(createSpeaker, {
      ...scope,
      ...speaker,
      sessionIds: titles.map((title) => idOf(sessions, title)),
      registrationId: isRegistered ? idOf(registrations, 'Speaker pass') : null,
    });
  }
}

async function ensureExhibitors(program: Program, venues: Ids): Promise<void> {
  const { operator, scope, registrations } = program;
  const existing = await idsByName(listAll(listExhibitors, optionsOf(program)), ({ name }) => name);
  for (const { decision, staff, booths, ...company } of demoExhibitors) {
    const existingId = existing.get(company.name);
    const exhibitorId =
      existingId ?? (await operator.call(createExhibitor, { ...scope, ...company })).id;
    const one = { ...scope, exhibitorId };
    if (decision === 'confirm') await operator.call(confirmExhibitor, one);
    if (decision === 'decline') await operator.call(declineExhibitor, one);
    if (staff !== null) {
      const registrationId = idOf(registrations, staff);
      await operator.call(addMember, { ...one, registrationId, role: 'Booth lead' });
    }
    const path = { ...pathOf(program), exhibitorId };
    const { booths: allocated } = await getExhibitor({ client: program.client, path });
    for (const { room, ...booth } of booths) {
      if (allocated.some(({ number }) => number === booth.number)) continue;
      await operator.call(allocateBooth, { ...one, ...booth, venueId: idOf(venues, room) });
    }
  }
}

/** A repeated check-in succeeds, so existing check-ins need no lookup. */
async function ensureCheckins(program: Program, venues: Ids): Promise<void> {
  const { client } = program;
  const path = pathOf(program);
  const query = { status: 'confirmed' as const, limit: demoCheckins.event };
  const { registrations } = await listRegistrations({ client, path, query });
  const hall = { subjectType: 'venue' as const, subjectId: idOf(venues, 'Main hall') };
  for (const [n, { checkinCode }] of registrations.entries()) {
    await createCheckin({ client, path, body: { checkinCode, subjectType: 'event' } });
    if (n < demoCheckins.hall) {
      await createCheckin({ client, path, body: { checkinCode, ...hall } });
    }
  }
}
