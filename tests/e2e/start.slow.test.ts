import { exec, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SignInMethods } from '@event-api/contracts/console/session';
import { Event } from '@event-api/contracts/http/events';
import { TicketType } from '@event-api/contracts/http/ticket-types';
import { freePort } from '@event-api/local-servers/ports';
import { waitUntil } from '@event-api/local-servers/probe';
import { eventually } from '@event-api/platform/testing/eventually';
import { signIn } from '@event-api/tools/seed/console-client';
import { root } from '@event-api/tools/settings/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { admissionsOf, demoAdmissions, demoProgram, programOf } from './demo-admissions.ts';
import {
  admin,
  findLeftovers,
  killProcessesOn,
  newDataDir,
  type PlatformUnderTest,
  startPlatform,
} from './fixtures/platform-under-test.ts';
import { printedByTour, tour, tourSetup, uncoveredOperations } from './tour.ts';

const READY = 'API key';
const MINUTE = 60_000;

const shell = promisify(exec);

const dataDir = newDataDir();
const otherDataDir = newDataDir();
let port: string;
let platform: PlatformUnderTest;
let left: string[];
let early: Awaited<ReturnType<typeof admin>>;

const baseUrl = () => `http://127.0.0.1:${port}`;
const demoKeyOf = (output: string) => /API key\s+(sk_live_\w{32})$/m.exec(output)?.[1] ?? '';
const get = (url: string, key: string) =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } });

/**
 * Starts the platform and kills it while it initializes its database. Returns the remaining
 * processes.
 */
async function killedEarly(own: { DATA_DIR: string; PORT: string }): Promise<string[]> {
  const killed = startPlatform(own);
  await killed.until('creating the demo conference');
  const processes = killed.processes();
  expect(processes.length).toBeGreaterThan(5);
  killed.process.kill('SIGKILL');
  return findLeftovers(processes, own.DATA_DIR);
}

async function conferencesAt(url: string, key: string) {
  const read = async (path: string) => (await get(`${url}${path}`, key)).json();
  const { events } = z.object({ events: z.array(Event) }).parse(await read('/v1/events'));
  const types = await read(`/v1/events/${events[0]?.id}/ticket-types`);
  return { events, ...z.object({ ticketTypes: z.array(TicketType) }).parse(types) };
}

// These tests read /proc, which only Linux has.
describe.skipIf(process.platform !== 'linux')('npm start', () => {
  beforeAll(async () => {
    port = String(await freePort());
    left = await killedEarly({ DATA_DIR: dataDir, PORT: port });
    platform = startPlatform({ DATA_DIR: dataDir, PORT: port });
    await platform.until('creating the demo conference');
    early = await admin(dataDir, 'unit.list');
    await platform.until(READY);
  }, 10 * MINUTE);

  afterAll(() => {
    for (const folder of [dataDir, otherDataDir]) {
      killProcessesOn(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('runs admin commands while it creates the demo data', () => {
    expect(early).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(early.stdout)).toMatchObject({ units: [{ name: 'Demo' }] });
  });

  test('shows no warnings before it is ready, while its processes wait for one another', () => {
    const [untilReady = '', addresses] = platform.output().split('  Base URL');
    expect(addresses).toBeDefined();
    expect(untilReady).not.toContain('"level":"warn"');
  });

  // The following tests prove that the next start completes the database.
  test('leaves no process when killed while it initializes its database', () => {
    expect(left).toEqual([]);
  });

  test('prints a curl command that responds with 200, and the URL of the reference', async () => {
    const line = /^\s+(curl .*)$/m.exec(platform.output())?.[1];
    const { stdout } = await shell(
      `${line} --silent --output /dev/null --write-out '%{http_code}'`,
    );
    expect(stdout).toBe('200');
    const docs = /Docs\s+(\S+)/.exec(platform.output())?.[1];
    expect(docs).toBe(`http://localhost:${port}/docs`);
    expect((await fetch(`${baseUrl()}/docs`)).status).toBe(200);
  });

  test('prints the address of the console, and the demo operators that it signs in without a password', async () => {
    const [, consoleUrl = ''] = /^\s+Console\s+(\S+)$/m.exec(platform.output()) ?? [];
    const [, printed] = /sign in without a password: (.*)$/m.exec(platform.output()) ?? [];
    const page = await fetch(consoleUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const { demo } = SignInMethods.parse(
      await (await fetch(`${consoleUrl}/api/sign-in/methods`)).json(),
    );
    const offered = demo.map(({ label, hint }) => `${label.split(' ')[0]} (${hint})`);
    expect(printed).toBe(offered.join(', '));
    const { body } = await (await signIn(consoleUrl, 'olivia')).send('/api/session');
    expect(body.operator.name).toBe('Olivia Owner');
  });

  test('prints the command that shows changes as they happen', async () => {
    const line = /^\s+watch the change feed:\s+(.*)$/m.exec(platform.output())?.[1];
    const unit = JSON.parse((await admin(dataDir, 'unit.create', '{"name":"Watched"}')).stdout);
    const input = JSON.stringify({ businessUnitId: unit.id, name: 'Watched' });
    const { secret } = JSON.parse((await admin(dataDir, 'key.create', input)).stdout);
    const env = { ...process.env, API_KEY: secret };
    const watching = spawn('timeout', ['120', 'sh', '-c', line ?? ''], { cwd: root, env });
    let output = '';
    for (const stream of [watching.stdout, watching.stderr]) {
      stream.on('data', (part) => {
        output += part;
      });
    }
    try {
      await eventually(() => expect(output).toContain('following'));
      const response = await fetch(`${baseUrl()}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{"name":"Watched","timezone":"UTC","startsAt":"2027-05-10T07:00:00Z"}',
      });
      const { id } = (await response.json()) as { id: string };
      const printed = new RegExp(`event\\.created {2}${id} {2}draft {2}by key key_`);
      await eventually(() => expect(output).toMatch(printed));
    } finally {
      watching.kill();
    }
  });

  test('creates one published conference with six open ticket types', async () => {
    const { events, ticketTypes } = await conferencesAt(baseUrl(), demoKeyOf(platform.output()));
    expect(events).toMatchObject([{ status: 'published' }]);
    expect(ticketTypes.map(({ status }) => status)).toEqual(Array(6).fill('open'));
  });

  test('creates 200 registrations and those of its orders in every status, and codes in every state', async () => {
    const key = demoKeyOf(platform.output());
    const { events } = await conferencesAt(baseUrl(), key);
    const path = `${baseUrl()}/v1/events/${events[0]?.id}`;
    expect(await admissionsOf(path, key)).toEqual(demoAdmissions);
    expect(await programOf(path, key)).toEqual(demoProgram);
  });

  test(
    'creates orders in every state but expired',
    async () => {
      const key = demoKeyOf(platform.output());
      const { events } = await conferencesAt(baseUrl(), key);
      const states = ['awaiting_payment', 'cancelled', 'held', 'paid', 'refund_due', 'refunded'];
      // The payment before the cancellation is detected in the background.
      const found = async () => {
        const response = await get(`${baseUrl()}/v1/events/${events[0]?.id}/orders`, key);
        const { orders } = (await response.json()) as { orders: { status: string }[] };
        return [...new Set(orders.map(({ status }) => status))].toSorted();
      };
      // The polling stays below the rate limit of the demo key.
      await expect.poll(found, { interval: 2000 }).toEqual(states);
    },
    3 * MINUTE,
  );

  test('restricts every file with a secret to its owner', () => {
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    const files = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
    const open = files.filter(({ name }) => statSync(join(dataDir, name)).mode & 0o077);
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  test('rejects a second start on the same folder', async () => {
    const second = startPlatform({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain(`already runs on ${dataDir}`);
  });

  test('serves the client library, which npm installs from the address', async () => {
    const program = newDataDir();
    const url = `${baseUrl()}/docs/client.tgz`;
    await eventually(async () => expect((await fetch(url)).status).toBe(200));
    await shell(`npm install --no-audit --no-fund ${url}`, { cwd: program });
    const code = "import { listEvents } from '@event-api/client'; console.log(typeof listEvents)";
    const { stdout } = await shell(`node --input-type=module -e "${code}"`, { cwd: program });
    rmSync(program, { recursive: true, force: true });
    expect(stdout.trim()).toBe('function');
  });

  test.each([
    ['in use', () => port],
    ['no port', () => 'abc'],
  ])('exits with a message that names PORT when it is %s', async (_case, value) => {
    const second = startPlatform({ DATA_DIR: otherDataDir, PORT: value() });
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain('PORT');
    expect(second.output()).not.toContain('    at ');
  });

  test(
    'serves docs/tour.md, line by line, with every operation',
    async () => {
      const unit = JSON.parse((await admin(dataDir, 'unit.create', '{"name":"Tour"}')).stdout);
      const input = JSON.stringify({ businessUnitId: unit.id, name: 'Tour' });
      const { secret } = JSON.parse((await admin(dataDir, 'key.create', input)).stdout);
      const { PATH, HOME } = process.env;
      const own = { DATA_DIR: dataDir, API_KEY: secret, UNIT: unit.id };
      const { stdout, stderr } = await shell(`set -eux\n${tour}`, {
        env: { PATH, HOME, ...own },
        shell: 'bash',
        timeout: 10 * MINUTE,
      });
      for (const printed of printedByTour) expect(stdout).toMatch(printed);
      expect(uncoveredOperations(stderr)).toEqual([]);
    },
    11 * MINUTE,
  );

  test('configures the tour with the address and key of a platform on another port and folder', async () => {
    const { PATH, HOME } = process.env;
    const lines = `set -eu\n${tourSetup}\necho "$API"; api $API/events | pick 'events[0].status'`;
    const { stdout } = await shell(lines, {
      env: { PATH, HOME, DATA_DIR: dataDir },
      shell: 'bash',
      timeout: 3 * MINUTE,
    });
    expect(stdout).toBe(`http://localhost:${port}/v1\npublished\n`);
  });

  test('prints the Idempotency-Key of an admin command on stderr, and --key retries it', async () => {
    const first = await admin(dataDir, 'unit.create', '{"name":"Once"}');
    const [, key = ''] = /^Idempotency-Key: (\S+)\n$/.exec(first.stderr) ?? [];
    expect(key).not.toBe('');
    const again = await admin(dataDir, 'unit.create', '{"name":"Once"}', '--key', key);
    expect(again).toMatchObject({ code: 0, stderr: `Idempotency-Key: ${key}\n` });
    expect(JSON.parse(again.stdout).id).toBe(JSON.parse(first.stdout).id);
    expect((await admin(dataDir, 'unit.list')).stderr).toBe('');
  });

  test('writes admin output into a closed pipe without an error', async () => {
    const command = `"${process.execPath}" tools/bootstrap.mjs tools/admin/cli/admin.ts help`;
    const { PATH, HOME } = process.env;
    // The reader exits long before the command writes.
    const { stdout, stderr } = await shell(`set -o pipefail; ${command} | true`, {
      env: { PATH, HOME, DATA_DIR: dataDir },
      cwd: new URL('../..', import.meta.url),
      shell: 'bash',
    });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  test('creates, lists and revokes keys through admin, and shows a secret once', async () => {
    const unit = JSON.parse((await admin(dataDir, 'unit.create', '{"name":"Start test"}')).stdout);
    const input = JSON.stringify({ businessUnitId: unit.id, name: 'A key' });
    const { id, secret } = JSON.parse((await admin(dataDir, 'key.create', input)).stdout);
    expect((await get(`${baseUrl()}/v1/events`, secret)).status).toBe(200);

    const listed = (await admin(dataDir, 'key.list', `{"businessUnitId":"${unit.id}"}`)).stdout;
    expect(JSON.parse(listed).keys).toMatchObject([{ id, name: 'A key' }]);
    expect(listed).not.toContain(secret);

    expect((await admin(dataDir, 'key.revoke', JSON.stringify({ id }))).code).toBe(0);
    const isRefused = async () => (await get(`${baseUrl()}/v1/events`, secret)).status === 401;
    expect(await waitUntil(isRefused, MINUTE)).toBe(true);
    expect(platform.output()).not.toContain(secret);
  });

  test('prints admin errors in one line on stderr', async () => {
    const unknown = await admin(dataDir, 'unit.destroy', '{}');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^unknown command unit\.destroy.*\n$/);
    const noJson = await admin(dataDir, 'unit.create', '{name}');
    expect(noJson).toMatchObject({ code: 1, stdout: '' });
    expect(noJson.stderr).toMatch(/^the input is not JSON.*\n$/);
    const rejected = await admin(dataDir, 'unit.create', '{}');
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    const [, ...lines] = rejected.stderr.split('\n');
    expect(JSON.parse(lines.join('\n')).error).toMatchObject({ code: 400 });
    const stopped = await admin(otherDataDir, 'unit.list');
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toMatch(/^the platform is not running.*\n$/);
  });

  test('lists each command with its fields in admin help, and their meaning in the help of one', async () => {
    const { code, stdout } = await admin(dataDir, 'help');
    expect(code).toBe(0);
    for (const name of ['unit.create', 'unit.list', 'key.create', 'key.list', 'key.revoke']) {
      expect(stdout).toContain(name);
    }
    const line = stdout.split('\n').find((each) => each.startsWith('key.create '));
    expect(line).toContain(
      '{businessUnitId, name, groups?, eventIds?, expiresAt?, version?, rateLimitPerMinute?, checkinRateLimitPerMinute?, secret?}',
    );
    const help = (await admin(dataDir, 'help', 'key.create')).stdout;
    expect(help).toMatch(/rateLimitPerMinute +integer +optional +Requests per minute/);
    const schema = await admin(dataDir, 'key.create', '--schema');
    expect(JSON.parse(schema.stdout)).toMatchObject({
      command: 'key.create',
      input: {},
      output: {},
    });
  });

  test.each([
    'services/catalog/src/main.ts',
    'services/registration/src/main.ts',
    'gateway/src/main.ts',
    'native/bin/postgres',
    'redis-server',
  ])(
    'restarts %s when it dies, and the API responds again',
    async (command) => {
      const victim = platform.processes().find(({ commandLine }) => commandLine.includes(command));
      const before = platform.output().length;
      process.kill(victim?.pid ?? 0, 'SIGKILL');
      const isBack = async () => /is ready again/.test(platform.output().slice(before));
      expect(await waitUntil(isBack, MINUTE)).toBe(true);
      const responses = async () =>
        (await get(`${baseUrl()}/v1/events`, demoKeyOf(platform.output()))).status === 200;
      expect(await waitUntil(responses, MINUTE)).toBe(true);
    },
    3 * MINUTE,
  );

  const isFull = process.env.TEST_SIZE === 'full';
  test.runIf(isFull)(
    'on a second folder leaves no process when killed, and completes its data at the next start',
    {
      timeout: 600_000,
    },
    async () => {
      const own = { DATA_DIR: otherDataDir, PORT: String(await freePort()) };
      expect(await killedEarly(own)).toEqual([]);

      const again = startPlatform(own);
      await again.until(READY);
      const key = demoKeyOf(again.output());
      const { events, ticketTypes } = await conferencesAt(`http://127.0.0.1:${own.PORT}`, key);
      expect([events.length, ticketTypes.length]).toEqual([1, 6]);
      const path = `http://127.0.0.1:${own.PORT}/v1/events/${events[0]?.id}`;
      expect(await admissionsOf(path, key)).toEqual(demoAdmissions);
      expect(await programOf(path, key)).toEqual(demoProgram);
      expect((await get(`${baseUrl()}/v1/events`, key)).status).toBe(401);

      // Kills the script itself, not its parent.
      const rest = again.processes();
      const script = rest.find(
        ({ commandLine }) =>
          commandLine.includes('tools/start/start.ts') && !commandLine.includes('bootstrap.mjs'),
      );
      process.kill(script?.pid ?? 0, 'SIGKILL');
      expect(await findLeftovers(rest, otherDataDir)).toEqual([]);
    },
  );

  test('exits with 0 on Ctrl-C without leaving a process, and the next start has the same key and data', async () => {
    const key = demoKeyOf(platform.output());
    const processes = platform.processes();
    // A terminal sends the signal to the foreground process group.
    process.kill(-(platform.process.pid ?? 0), 'SIGINT');
    expect(await platform.exit).toBe(0);
    expect(await findLeftovers(processes, dataDir)).toEqual([]);

    platform = startPlatform({ DATA_DIR: dataDir, PORT: port });
    await platform.until(READY);
    expect(demoKeyOf(platform.output())).toBe(key);
    expect((await conferencesAt(baseUrl(), key)).events).toHaveLength(1);
    expect((await admin(dataDir, 'unit.list')).stdout).toContain('Start test');
    const logged = platform
      .output()
      .split('\n')
      .filter((line) => line.includes(' | '));
    expect(logged.filter((line) => line.includes(key))).toEqual([]);

    const rest = platform.processes();
    platform.process.kill('SIGTERM');
    expect(await platform.exit).toBe(0);
    expect(await findLeftovers(rest, dataDir)).toEqual([]);
    expect(readFilesOf(dataDir).filter((content) => content.includes(key))).toHaveLength(1);
  });
});

/**
 * Returns the contents of all files. Exactly one contains the key: no log, table or setting does.
 */
function readFilesOf(folder: string): Buffer[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
}
