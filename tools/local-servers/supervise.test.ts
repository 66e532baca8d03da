import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isAlive } from './data-dir-lock.ts';
import { waitUntil } from './probe.ts';
import { type ChildSpec, createSupervisor } from './supervise.ts';

const folder = mkdtempSync(join(tmpdir(), 'supervise-'));
const reports: string[] = [];
let supervisor = createSupervisor((line) => reports.push(line));

afterEach(async () => {
  await supervisor.stopAll();
  supervisor = createSupervisor((line) => reports.push(line));
  reports.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A child that runs `script` and is ready after it has printed a line. */
function child(name: string, script: string, more: Partial<ChildSpec> = {}) {
  const lines: string[] = [];
  const spec: ChildSpec = {
    name,
    command: [process.execPath, '-e', script],
    env: process.env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    startTimeoutMs: 60_000,
    isReady: async () => lines.length > 0,
    onLine: (line) => lines.push(line),
    ...more,
  };
  return { spec, lines };
}

const STAY = 'console.log(process.pid); setInterval(() => {}, 1000);';

test('restarts a child each time it ends, with growing pauses', async () => {
  const { spec, lines } = child('worker', STAY);
  await supervisor.start(spec);
  for (const count of [1, 2]) {
    process.kill(Number(lines.at(-1)), 'SIGKILL');
    expect(await waitUntil(async () => lines.length === count + 1, 60_000)).toBe(true);
  }
  expect(reports.filter((line) => line.includes('ended'))).toEqual([
    'worker ended (SIGKILL), restarting in 200 ms',
    'worker ended (SIGKILL), restarting in 400 ms',
  ]);
});

test('starts a child again at once, without a report of its end, when a restart is requested', async () => {
  const { spec, lines } = child('worker', STAY);
  await supervisor.start(spec);
  await supervisor.restart('worker');
  expect(await waitUntil(async () => lines.length === 2, 60_000)).toBe(true);
  expect(reports.filter((line) => line.includes('ended'))).toEqual([]);
  expect(isAlive(Number(lines[0]))).toBe(false);
});

test('rejects with the last lines of a child that ends before it is ready', async () => {
  const { spec } = child('broken', "console.error('no such table'); process.exit(3)", {
    isReady: async () => false,
  });
  await expect(supervisor.start(spec)).rejects.toThrow(/broken .*exit code 3.*\nno such table/);
});

test('retries the first start if mayRetryAfter accepts its output', async () => {
  const { spec, lines } = child(
    'locked',
    `const fs = require('node:fs'); if (fs.existsSync(process.argv[1])) { ${STAY} } else { fs.mkdirSync(process.argv[1], { recursive: true }); console.error('lock file exists'); process.exit(1); }`,
    { mayRetryAfter: (output) => output.includes('lock file exists') },
  );
  const isReady = async () => lines.some((line) => /^\d+$/.test(line));
  await supervisor.start({ ...spec, command: [...spec.command, join(folder, 'lock')], isReady });
  expect(lines).toHaveLength(2);
});

test('stops children in reverse order, kills one that ignores the signal, and starts no more', async () => {
  const log = join(folder, 'log');
  const logging = (name: string) =>
    `process.on('SIGTERM', () => { require('node:fs').appendFileSync('${log}', '${name} '); process.exit(); }); ${STAY}`;
  await supervisor.start(child('first', logging('first')).spec);
  await supervisor.start(child('second', logging('second')).spec);
  const unresponsive = child('unresponsive', `process.on('SIGTERM', () => {}); ${STAY}`, {
    stopTimeoutMs: 200,
  });
  await supervisor.start(unresponsive.spec);
  await supervisor.stopAll();
  expect(readFileSync(log, 'utf8')).toBe('second first ');
  expect(isAlive(Number(unresponsive.lines[0]))).toBe(false);
  await expect(supervisor.start(child('late', STAY).spec)).rejects.toThrow('not started');
});
