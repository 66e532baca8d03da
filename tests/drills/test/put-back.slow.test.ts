import { randomUUID } from 'node:crypto';
import { completeRestore } from '@event-api/contracts/operator/restore';
import { apiProcessNames, publisherNames } from '@event-api/contracts/topology';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { eventually } from '@event-api/platform/testing/eventually';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { switchedProcess } from '@event-api/platform/testing/switches/switched-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DrillEnvironment, startEnvironment } from '../environment/environment.ts';
import { copyPostgres, type PhysicalCopy } from '../environment/physical-copy.ts';

let environment: DrillEnvironment;
let copy: PhysicalCopy;
let call: HttpClient;
let kept: Sale;

beforeAll(async () => {
  environment = await startEnvironment(() => {});
  const { key } = await environment.newUnit('EUR');
  const authorization = `Bearer ${key.secret}`;
  call = httpClient(environment.gatewayUrl, { authorization }, { timeoutMs: 10_000 });
  kept = await createSale();
  await register(kept);
  await projected();
  copy = await copyPostgres(environment);
  await eventually(() => register(kept));
});
afterAll(async () => {
  await environment?.close();
  copy?.remove();
});

interface Sale {
  path: string;
  typeId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies without a schema.
async function succeeded(...[method, path, body]: [string, string, object?]): Promise<any> {
  const response = await call(method, path, { body });
  if (response.status >= 300) throw new Error(`${method} ${path} is ${response.status}`);
  return response.body;
}

async function createSale(): Promise<Sale> {
  const event = await succeeded('POST', '/v1/events', {
    name: 'Sold',
    timezone: 'UTC',
    startsAt: '2030-05-01T09:00:00Z',
  });
  const path = `/v1/events/${event.id}`;
  await succeeded('PATCH', path, { status: 'published' });
  const { id: typeId } = await succeeded('POST', `${path}/ticket-types`, { name: 'Any' });
  await succeeded('PATCH', `${path}/ticket-types/${typeId}`, { status: 'open' });
  return { path, typeId };
}

const newEmail = () => `${randomUUID()}@example.com`;

const register = ({ path, typeId }: Sale) =>
  succeeded('POST', `${path}/registrations`, { email: newEmail(), registrationTypeId: typeId });

/** Waits until every projection equals the records of its owner. */
async function projected(): Promise<void> {
  const { broken } = await checkInvariantsWhenIdle(environment.databaseUrls, { withinMs: 60_000 });
  expect(broken).toEqual({});
}

/**
 * Sells and admits what the copy does not contain. Returns the requests that must be rejected from
 * now on.
 */
async function createGhosts() {
  const sale = await eventually(createSale);
  const { registration } = await register(kept);
  await succeeded('POST', `${kept.path}/checkins`, door(registration));
  await register(sale);
  await projected();
  const items = [{ itemType: 'registration_type', itemId: sale.typeId }];
  return [
    () => call('POST', `${sale.path}/orders`, { body: { email: newEmail(), items } }),
    () =>
      call('POST', `${sale.path}/registrations`, {
        body: { email: newEmail(), registrationTypeId: sale.typeId },
      }),
    () => call('POST', `${kept.path}/checkins`, { body: door(registration) }),
  ];
}

const door = ({ checkinCode }: { checkinCode: string }) => ({ checkinCode, subjectType: 'event' });

/**
 * Sends the requests, and registrations that are possible, until `stop`. Returns how many ghosts
 * were accepted.
 */
function sendLoad(ghosts: readonly (() => Promise<{ status: number }>)[]) {
  let isRunning = true;
  let accepted = 0;
  let rejected = 0;
  const repeat = async (work: () => Promise<void>) => {
    while (isRunning) await work().catch(() => {});
  };
  const running = [
    ...ghosts.map((ghost) =>
      repeat(async () => {
        const { status } = await ghost();
        if (status < 300) accepted += 1;
        else if (status === 404) rejected += 1;
      }),
    ),
    repeat(async () => void (await register(kept))),
  ];
  return {
    rejected: () => rejected,
    async stop(): Promise<number> {
      isRunning = false;
      await Promise.all(running);
      return accepted;
    },
  };
}

const rewinds = () =>
  environment.alarms().filter((line) => line.includes('database_rewound')).length;

/** Stops all processes, puts PostgreSQL back and starts them with these settings, all at once. */
async function restoreAll(
  whileStopped?: () => void,
  settings: NodeJS.ProcessEnv = { NODE_ENV: 'production', TEST_SWITCHES: '' },
): Promise<void> {
  const { processes } = environment;
  await Promise.all(apiProcessNames.map((name) => processes.stop(name)));
  await copy.putBack(whileStopped);
  await Promise.all(
    apiProcessNames.map((name) =>
      processes.restart(name, publisherNames.some((one) => one === name) ? settings : {}),
    ),
  );
}

test('without the check of the lineage ghosts are sold or admitted, which this negative control shows', {
  timeout: 300_000,
}, async () => {
  const ghosts = await createGhosts();
  await restoreAll(undefined, switchedProcess('off:lineage'));
  await eventually(() => register(kept));
  // Accepted, although the records do not exist.
  await eventually(async () => {
    const responses = await Promise.all(ghosts.map((ghost) => ghost()));
    expect(responses.some(({ status }) => status < 300)).toBe(true);
  });
  await restoreAll();
  await projected();
});

test.each([
  [
    'all processes are stopped and started again',
    (whileStopped: () => void) => restoreAll(whileStopped),
  ],
  [
    'the processes keep running, as in a failover that loses its last transactions',
    (whileStopped: () => void) => copy.putBack(whileStopped),
  ],
])(
  'nothing is sold or admitted that PostgreSQL has lost: %s',
  { timeout: 300_000 },
  async (_case, putBack) => {
    const before = rewinds();
    const ghosts = await createGhosts();
    // Until the database is stopped they are accepted, rightly.
    let load: ReturnType<typeof sendLoad> | undefined;
    await putBack(() => {
      load = sendLoad(ghosts);
    });
    await eventually(() => register(kept));
    await eventually(() => expect(load?.rejected()).toBeGreaterThan(ghosts.length * 3));
    await eventually(() => expect(rewinds()).toBe(before + publisherNames.length));
    expect(await load?.stop()).toBe(0);
    await projected();
  },
);

test('restore.completed gives a service a new lineage, from which all projections are rebuilt', async () => {
  const service = 'catalog';
  const { lineage } = await environment.operator.call(completeRestore(service), { service });
  await eventually(async () => {
    const rows = await environment.sql(
      ['registration', 'commerce', 'onsite']
        .map((name) => `(select origins->'catalog' as origin from ${name}.projection_checkpoint)`)
        .join(' union all '),
    );
    expect(rows).toEqual(Array(3).fill({ origin: { lineage, status: 'confirmed' } }));
  });
  await projected();
});
