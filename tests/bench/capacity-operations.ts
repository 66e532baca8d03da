import { setTimeout as wait } from 'node:timers/promises';
import { inviteMember } from '@event-api/contracts/operator/members';
import { type ConsoleClient, signIn } from '@event-api/tools/seed/console-client';
import { createBadges } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { buyers, createSeller, expectSuccess, order, sale, startBuyers } from './sale.ts';

/** What the platform does for its users, as they notice it. */
export interface Operation {
  name: string;
  /** Clients that repeat it, each after the response. */
  clients: number;
  /** Returns the number of units done: one, or the rows of a page. Errors: an unexpected response. */
  run(): Promise<number>;
}

/** More check-ins than one onsite decides. */
const mostCheckinsPerSecond = 5000;
const priceAmount = 4900;
const returnTo = { successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/' };
/** A key may read 700 pages of the feed in a minute. */
const feedPage = 1000;
const feedPauseMs = 20;
/** A session may send 600 requests in a minute. */
const sessionCount = 24;
const operators = 8;
const pagePauseMs = 20;
/** A shop asks for the order when the buyer is back from the payment page, and then now and then. */
const paidWithinMs = 20_000;
const readEveryMs = 1000;

/**
 * Prepares one business unit with an event on sale, badges for this time of check-ins, and
 * signed-in operators.
 */
export async function prepareOperations(
  environment: BenchEnvironment,
  durationMs: number,
): Promise<Operation[]> {
  const { platform, progress } = environment;
  const { unitId, secret } = await createSeller(environment);
  const send = await startBuyers(environment, secret);
  const free = await sale(send, 1_000_000);
  const priced = await sale(send, 1_000_000, { priceAmount });
  const eventId = free.path.split('/').at(-1) ?? '';
  const badges = Math.ceil((durationMs * mostCheckinsPerSecond) / 1000);
  progress.say(`${badges} badges`);
  const db = await openBenchDatabase(platform.specs.onsite?.env.DATABASE_URL ?? '', 'onsite', 1);
  await createBadges(db, { businessUnitId: unitId, eventId }, badges);
  await db.close();
  const one = (work: () => Promise<unknown>) => async () => {
    await work();
    return 1;
  };
  let [guest, badge] = [0, 0];
  return [
    { name: 'read', clients: buyers, run: one(() => expectSuccess(send, 'GET', free.path)) },
    {
      name: 'registration',
      clients: buyers,
      run: one(() => {
        guest += 1;
        const body = { email: `guest${guest}@example.com`, registrationTypeId: free.typeId };
        return expectSuccess(send, 'POST', `${free.path}/registrations`, body);
      }),
    },
    { name: 'freeOrder', clients: buyers, run: one(() => order(send, free)) },
    { name: 'paidOrder', clients: buyers, run: one(payer(send, priced)) },
    {
      name: 'checkin',
      clients: buyers,
      run: one(() => {
        badge += 1;
        const body = { checkinCode: `CHK-BENCH-${badge}`, subjectType: 'event' };
        return expectSuccess(send, 'POST', `${free.path}/checkins`, body);
      }),
    },
    {
      name: 'feedRow',
      clients: 1,
      run: async () => {
        await wait(feedPauseMs);
        const page = await expectSuccess(send, 'GET', `/v1/changes?limit=${feedPage}`);
        if (page.changes.length !== feedPage) throw new Error('the page of the feed is not full');
        return feedPage;
      },
    },
    await overviewPage(environment, { businessUnitId: unitId, eventId }),
  ];
}

type Send = Awaited<ReturnType<typeof startBuyers>>;

/** Places an order, pays it on the page of the provider, and reads it until it is paid. */
function payer(send: Send, priced: Awaited<ReturnType<typeof sale>>): () => Promise<void> {
  let buyer = 0;
  const items = [{ itemType: 'registration_type', itemId: priced.typeId }];
  return async () => {
    buyer += 1;
    const path = `${priced.path}/orders`;
    const { id } = await expectSuccess(send, 'POST', path, {
      email: `payer${buyer}@example.com`,
      items,
    });
    const confirmed = await expectSuccess(send, 'POST', `${path}/${id}/confirm`, returnTo);
    const page = `${confirmed.paymentUrl.replace('//localhost', '//127.0.0.1')}/pay`;
    const paid = await fetch(page, { method: 'POST', redirect: 'manual' });
    await paid.body?.cancel();
    const deadline = performance.now() + paidWithinMs;
    do {
      if (performance.now() > deadline) throw new Error('an order was not paid in time');
      await wait(readEveryMs);
    } while ((await expectSuccess(send, 'GET', `${path}/${id}`)).status !== 'paid');
  };
}

/** The reads of an overview, by operators who are signed in. */
async function overviewPage(
  { platform, operator }: BenchEnvironment,
  { businessUnitId, eventId }: { businessUnitId: string; eventId: string },
): Promise<Operation> {
  const consoleUrl = platform.console?.consoleUrl ?? '';
  const { link } = await operator.call(inviteMember, { businessUnitId, role: 'owner' });
  const sessions: ConsoleClient[] = [];
  for (let n = 0; n < sessionCount; n++) {
    const session = await signIn(consoleUrl, 'olivia');
    if (n === 0)
      await session.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
    sessions.push(session);
  }
  const event = `/api/units/${businessUnitId}/v1/events/${eventId}`;
  const reads = [event, `${event}/ticket-types`, `${event}/checkins/summary`];
  let turn = 0;
  return {
    name: 'consolePage',
    clients: operators,
    run: async () => {
      turn += 1;
      const session = sessions[turn % sessionCount];
      await wait(pagePauseMs);
      await Promise.all(
        reads.map(async (path) => {
          const { status } = (await session?.send(path)) ?? {};
          if (status !== 200) throw new Error(`${path} responded with ${status}`);
        }),
      );
      return 1;
    },
  };
}
