import { randomUUID } from 'node:crypto';
import { type DrillRequest, once, untilDefinite } from '../environment/client.ts';
import { type DrillContext, type Fault, noServices } from './fault.ts';

/** Reduces capacities below the number of sold seats, then restores them. */
function lowered(): Fault {
  let lower: { path: string; capacity: number | null; secret: () => string }[] = [];
  const patch = async (
    { environment, history }: DrillContext,
    capacityOf: (own: number | null) => number | null,
  ) => {
    for (const { path, capacity, secret } of lower) {
      const request: DrillRequest = {
        operation: 'change capacity',
        owner: 'catalog',
        method: 'PATCH',
        path,
        body: { capacity: capacityOf(capacity) },
        secret,
      };
      await untilDefinite(history, environment.gatewayUrl, request, path);
    }
  };
  return {
    name: 'capacities below sold seats',
    target: 'capacities',
    affects: noServices,
    lastsMs: 2500,
    async begin(context) {
      const sale = context.random.pick(context.sales);
      lower = sale.types
        .filter(({ capacity }) => capacity !== null)
        .map(({ id, capacity }) => ({
          path: `${sale.path}/ticket-types/${id}`,
          capacity,
          secret: () => sale.key.secret,
        }));
      await patch(context, () => 1);
    },
    async end(context) {
      await patch(context, (own) => own);
      lower = [];
    },
  };
}

const deeplyNested = `{"email":${'['.repeat(2000)}${']'.repeat(2000)}}`;
const email = 'ada@example.com';

/** Invalid requests. Each must be rejected with 4xx and have no effect. */
const bodies: readonly (readonly [path: string, body: unknown])[] = [
  ['registrations', '{"email":'],
  ['registrations', 'null'],
  ['registrations', '[]'],
  ['registrations', deeplyNested],
  ['registrations', { email: 'a\u0000@example.com', registrationTypeId: 'tt_x' }],
  ['registrations', '{"email":"\\ud800@example.com","registrationTypeId":"tt_x"}'],
  ['registrations', { email, registrationTypeId: 'x'.repeat(300) }],
  ['registrations', '{"__proto__":{"email":"x"},"constructor":{"prototype":1}}'],
  ['redemption-codes', { registrationTypeId: 'tt_x', count: 1e9 }],
  ['redemption-codes', { registrationTypeId: 'tt_x', maxUses: 2 ** 53 + 2 }],
  ['orders', { email, items: Array.from({ length: 500 }, () => ({})) }],
  ['orders', { email, items: [{ itemType: 'addon', itemId: 'x', quantity: 2 ** 31 }] }],
  ['orders', { email: `${'x'.repeat(400)}@example.com`, items: [] }],
  ['checkins', { checkinCode: '\u0000', subjectType: 'event' }],
  ['checkins', { registrationId: 'reg_none', subjectType: 'moon' }],
  ['orders', `{"email":"${'y'.repeat(2 * 1024 * 1024)}"}`],
  [`registrations/${'z'.repeat(300)}/cancel`, {}],
  ['orders/%00/confirm', {}],
];

const invalidInput: Fault = {
  name: 'invalid input to every service',
  target: 'requests',
  affects: noServices,
  lastsMs: 0,
  async begin({ environment, sales, history, random }) {
    const sale = random.pick(sales);
    await Promise.all(
      bodies.map(async ([of, body]) => {
        const seen = await once(history, environment.gatewayUrl, {
          operation: 'invalid input',
          owner: of.startsWith('orders')
            ? 'commerce'
            : of === 'checkins'
              ? 'onsite'
              : 'registration',
          method: 'POST',
          path: `${sale.path}/${of}`,
          body,
          headers: { 'idempotency-key': randomUUID() },
          secret: () => sale.key.secret,
        });
        if (seen && seen.status < 400) history.breaks('invalid input is rejected', { of, ...seen });
      }),
    );
  },
  end: async () => {},
};

export const requestFaults: Fault[] = [lowered(), invalidInput];
