import type { Registration } from '@event-api/contracts/http/registrations';
import {
  addMember,
  allocateBooth,
  confirmExhibitor,
  createExhibitor,
  declineExhibitor,
} from '@event-api/contracts/operator/exhibitors';
import { createSession, createSpeaker, createVenue } from '@event-api/contracts/operator/program';
import type { z } from 'zod';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { ApiClient } from './api-client.ts';
import { demoCheckins, demoExhibitors, demoSessions, demoSpeakers, demoVenues } from './program.ts';
import type { Ids } from './seed-registrations.ts';

interface Program {
  api: ApiClient;
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

const pathOf = ({ scope }: Program, list: string): string => `/v1/events/${scope.eventId}/${list}`;

/** Ids of the existing records of a list, by name. */
async function findExisting(program: Program, list: string, name: 'name' | 'title'): Promise<Ids> {
  type Row = { id: string; name: string; title: string };
  const reply = await program.api.request<Record<string, Row[]>>('GET', pathOf(program, list));
  return new Map((reply[list] ?? []).map((row) => [row[name], row.id]));
}

async function ensureVenues(program: Program): Promise<Ids> {
  const { operator, scope, perks } = program;
  const ids = await findExisting(program, 'venues', 'name');
  for (const { gate, ...venue } of demoVenues) {
    if (ids.has(venue.name)) continue;
    const perkIds = gate.map((name) => idOf(perks, name));
    ids.set(venue.name, (await operator.call(createVenue, { ...scope, ...venue, perkIds })).id);
  }
  return ids;
}

async function ensureSessions(program: Program, venues: Ids): Promise<Ids> {
  const { operator, scope, perks } = program;
  const ids = await findExisting(program, 'sessions', 'title');
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
  const existing = await findExisting(program, 'speakers', 'name');
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
  const existing = await findExisting(program, 'exhibitors', 'name');
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
    const { booths: allocated } = await program.api.request<{ booths: { number: string }[] }>(
      'GET',
      pathOf(program, `exhibitors/${exhibitorId}`),
    );
    for (const { room, ...booth } of booths) {
      if (allocated.some(({ number }) => number === booth.number)) continue;
      await operator.call(allocateBooth, { ...one, ...booth, venueId: idOf(venues, room) });
    }
  }
}

/** A repeated check-in succeeds, so existing check-ins need no lookup. */
async function ensureCheckins(program: Program, venues: Ids): Promise<void> {
  const { api } = program;
  const list = `${pathOf(program, 'registrations')}?status=confirmed&limit=${demoCheckins.event}`;
  const { registrations } = await api.request<{
    registrations: Pick<z.output<typeof Registration>, 'checkinCode'>[];
  }>('GET', list);
  const path = pathOf(program, 'checkins');
  const hall = { subjectType: 'venue', subjectId: idOf(venues, 'Main hall') };
  for (const [n, { checkinCode }] of registrations.entries()) {
    await api.request('POST', path, { checkinCode, subjectType: 'event' });
    if (n < demoCheckins.hall) await api.request('POST', path, { checkinCode, ...hall });
  }
}
