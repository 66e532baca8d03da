import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../client.ts';
import type { Journal } from '../journal.ts';
import type { Choices } from '../random.ts';
import type { Shop } from '../shops.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Buyer } from './buyer.ts';
import { cancel, pay, place, readOrder, refund } from './orders.ts';
import { createCodes, move, readRegistration, register, scan } from './registrations.ts';

/** What a client does next: of a hundred times so often. */
const actions: readonly (readonly [share: number, act: (buyer: Buyer) => Promise<void>])[] = [
  [18, register],
  [6, (buyer) => move(buyer, 'approve')],
  [3, (buyer) => move(buyer, 'reject')],
  [6, (buyer) => move(buyer, 'cancel')],
  [4, readRegistration],
  [2, createCodes],
  [22, place],
  [14, pay],
  [4, cancel],
  [5, readOrder],
  [5, refund],
  [11, scan],
];

/** The action of a number from 0 up to 1. */
export function actionAt(place: number): (buyer: Buyer) => Promise<void> {
  const sum = actions.reduce((total, [share]) => total + share, 0);
  let left = place * sum;
  for (const [share, act] of actions) {
    left -= share;
    if (left < 0) return act;
  }
  return register;
}

/** Keeps so many clients busy until `signal` is raised, and answers when the last has its last answer. */
export async function runClients(options: {
  around: Surroundings;
  shops: readonly Shop[];
  journal: Journal;
  choices: Choices;
  clients: number;
  signal: AbortSignal;
}): Promise<void> {
  const { around, shops, journal, clients, signal } = options;
  const work = async (number: number) => {
    const choices = options.choices.branch(`client ${number}`);
    const email = () => `person-${choices.below(400)}@example.com`;
    const buyers = shops.map((shop): Buyer => {
      const secret = () => shop.key.secret;
      const client = createClient({ baseUrl: around.gatewayUrl, secret, journal, choices });
      return { shop, client, operator: around.operator, journal, choices, email };
    });
    while (!signal.aborted) {
      await actionAt(choices.next())(choices.pick(buyers));
      await delay(choices.below(100));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => work(number)));
}
