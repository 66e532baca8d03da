import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@event-api/platform/testing/random';
import { createClient } from '../environment/client.ts';
import type { DrillEnvironment } from '../environment/environment.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';
import type { Buyer } from './buyer.ts';
import { endSale } from './cancel-event.ts';
import { changeOrder, executeLate } from './changes.ts';
import { claimSeat } from './claim-links.ts';
import { changeOffer, changePolicy, lowerAndRaise } from './offer.ts';
import { assignSeat } from './open-seats.ts';
import { cancel, pay, place, placeForbidden, readOrder, takeOffer } from './orders.ts';
import { changeProgram, renameRegistration } from './program.ts';
import { cancelSeat, refund } from './refunds.ts';
import { createCodes, move, readRegistration, register, scan } from './registrations.ts';

/** Actions of a client, with their share of all actions. */
const actions: readonly (readonly [share: number, act: (buyer: Buyer) => Promise<void>])[] = [
  [18, register],
  [6, (buyer) => move(buyer, 'approve')],
  [3, (buyer) => move(buyer, 'reject')],
  [6, (buyer) => move(buyer, 'cancel')],
  [8, readRegistration],
  [2, createCodes],
  [22, place],
  [2, placeForbidden],
  [8, takeOffer],
  [14, pay],
  [4, cancel],
  [5, readOrder],
  [5, refund],
  [4, cancelSeat],
  [4, assignSeat],
  [3, claimSeat],
  [8, changeOrder],
  [2, executeLate],
  [2, endSale],
  [11, scan],
  [6, changeProgram],
  [2, changeOffer],
  [2, lowerAndRaise],
  [2, changePolicy],
  [3, renameRegistration],
];

/** Returns the action for a number from 0 (inclusive) to 1 (exclusive). */
export function actionAt(place: number): (buyer: Buyer) => Promise<void> {
  const sum = actions.reduce((total, [share]) => total + share, 0);
  let left = place * sum;
  for (const [share, act] of actions) {
    left -= share;
    if (left < 0) return act;
  }
  return register;
}

/**
 * Runs this number of clients until `signal` is aborted. Resolves when each has its last response.
 */
export async function runClients(options: {
  environment: DrillEnvironment;
  sales: readonly SaleFixture[];
  history: History;
  random: SeededRandom;
  clients: number;
  signal: AbortSignal;
}): Promise<void> {
  const { environment, sales, history, clients, signal } = options;
  const work = async (number: number) => {
    const random = options.random.branch(`client ${number}`);
    const email = () => `person-${random.below(400)}@example.com`;
    const buyers = sales.map((sale): Buyer => {
      const secret = () => sale.key.secret;
      const client = createClient({ baseUrl: environment.gatewayUrl, secret, history, random });
      return { sale, client, operator: environment.operator, history, random, email };
    });
    while (!signal.aborted) {
      await actionAt(random.next())(random.pick(buyers));
      await delay(random.below(100));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => work(number)));
}
