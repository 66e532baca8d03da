import * as exhibitors from '@event-api/contracts/operator/exhibitors';
import * as program from '@event-api/contracts/operator/program';
import { attemptCommand } from './attempt.ts';
import type { Buyer } from './buyer.ts';

/** How many exhibitors, sessions, speakers and venues of one sale the clients change. */
const RETAINED = 20;

const times = { startsAt: '2030-05-01T10:00:00+02:00', endsAt: '2030-05-01T11:00:00+02:00' };

/**
 * Creates, changes or deletes a record of the program or an exhibitor, as an operator. Sent without
 * Idempotency-Key, so it is not retried.
 */
export async function changeProgram(buyer: Buyer): Promise<void> {
  const { sale, random, operator, history } = buyer;
  const scope = { businessUnitId: sale.unitId, eventId: sale.eventId };
  const existing = sale.program;
  const name = `Name ${random.below(1000)}`;
  const create = {
    exhibitor: () => operator.call(exhibitors.createExhibitor, { ...scope, name }),
    session: () => operator.call(program.createSession, { ...scope, title: name, ...times }),
    speaker: () => operator.call(program.createSpeaker, { ...scope, name }),
    venue: () => operator.call(program.createVenue, { ...scope, name }),
  };
  const kind = random.pick(['exhibitor', 'exhibitor', 'session', 'speaker', 'venue'] as const);
  await attemptCommand(history, `change ${kind}`, async () => {
    const ids = existing[kind];
    if (ids.length < RETAINED && random.chance(0.4))
      return void ids.push((await create[kind]()).id);
    if (ids.length === 0) return;
    const id = random.pick(ids);
    if (kind === 'exhibitor') return changeExhibitor(buyer, { ...scope, exhibitorId: id }, name);
    if (random.chance(0.3)) existing[kind] = ids.filter((other) => other !== id);
    const isDeleted = !existing[kind].includes(id);
    const { session, speaker, venue } = changes(buyer, scope, id, name, isDeleted);
    await { session, speaker, venue }[kind]();
  });
}

type Scope = { businessUnitId: string; eventId: string };

async function changeExhibitor(
  { random, operator, sale }: Buyer,
  exhibitor: Scope & { exhibitorId: string },
  name: string,
): Promise<void> {
  const { registrations } = sale;
  const number = `B${random.below(30)}`;
  const member = registrations.length > 0 ? random.pick(registrations).id : null;
  await random.pick<() => Promise<unknown>>([
    () => operator.call(exhibitors.updateExhibitor, { ...exhibitor, name }),
    () => operator.call(exhibitors.confirmExhibitor, exhibitor),
    () => operator.call(exhibitors.declineExhibitor, exhibitor),
    () => operator.call(exhibitors.allocateBooth, { ...exhibitor, number, type: 'corner' }),
    () => operator.call(exhibitors.releaseBooth, { ...exhibitor, number }),
    async () => {
      if (member === null) return;
      const input = { ...exhibitor, registrationId: member, role: name };
      await operator.call(exhibitors.addMember, input);
    },
  ])();
}

const changes = (
  { operator }: Buyer,
  scope: Scope,
  id: string,
  name: string,
  isDeleted: boolean,
) => ({
  session: () =>
    isDeleted
      ? operator.call(program.deleteSession, { ...scope, sessionId: id })
      : operator.call(program.updateSession, { ...scope, sessionId: id, title: name }),
  speaker: () =>
    isDeleted
      ? operator.call(program.deleteSpeaker, { ...scope, speakerId: id })
      : operator.call(program.updateSpeaker, { ...scope, speakerId: id, name }),
  venue: () =>
    isDeleted
      ? operator.call(program.deleteVenue, { ...scope, venueId: id, openGates: true })
      : operator.call(program.updateVenue, { ...scope, venueId: id, name }),
});

/** Changes the name on a registration. */
export async function renameRegistration({ sale, client, random }: Buyer): Promise<void> {
  if (sale.registrations.length === 0) return;
  await client.request({
    operation: 'rename registration',
    owner: 'registration',
    method: 'PATCH',
    path: `${sale.path}/registrations/${random.pick(sale.registrations).id}`,
    body: { name: `Person ${random.below(1000)}` },
  });
}
