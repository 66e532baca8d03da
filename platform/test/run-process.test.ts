import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { httpClient } from '../testing/http-client.ts';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Runs a program of `processes/` and collects its output. */
function start(program: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'processes', program)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk;
  });
  const exited = once(child, 'close') as Promise<[number | null, string | null]>;
  running.push(child);
  return { child, said, exited };
}

type Line = { msg: string; apiUrl: string; internalUrl: string };

/** Waits for the log line with this message. */
const logged = ({ said }: ReturnType<typeof start>, message: string): Promise<Line> =>
  eventually(() => {
    const lines = said.out.trim().split('\n');
    const line = lines.map((text) => JSON.parse(text || '{}') as Line);
    const wanted = line.find(({ msg }) => msg === message);
    if (!wanted) throw new Error(`not logged: ${message}\n${said.err}`);
    return wanted;
  });

describe('a process that receives a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s rejects new connections, completes open requests and exits with code 0',
    async (signal) => {
      const started = start('drained.ts');
      const { apiUrl, internalUrl } = await logged(started, 'listening');
      const internal = httpClient(internalUrl);
      await eventually(async () => expect((await internal('GET', '/readyz')).status).toBe(200));
      expect((await internal('GET', '/healthz')).body).toEqual({ status: 'ok' });
      const slow = httpClient(apiUrl)('GET', '/slow');
      await logged(started, 'slow request began');

      started.child.kill(signal);
      await logged(started, 'draining');
      started.child.kill(signal);
      await eventually(() => expect(fetch(apiUrl)).rejects.toThrow());
      await eventually(() => expect(fetch(internalUrl)).rejects.toThrow());
      started.child.kill('SIGUSR2');

      const { status, body, headers } = await slow;
      expect([status, body]).toEqual([200, { handled: true }]);
      expect(headers.connection).toBe('close');
      expect(await started.exited).toEqual([0, null]);
      expect(started.said.out.match(/"draining"/g)).toHaveLength(1);
      expect(started.said.out).toContain('"stopped"');
    },
  );

  test('does not wait for an idle connection', async () => {
    const started = start('drained.ts');
    const { internalUrl } = await logged(started, 'listening');
    await httpClient(internalUrl, { connection: 'keep-alive' })('GET', '/healthz');
    started.child.kill('SIGTERM');
    expect(await started.exited).toEqual([0, null]);
  });

  test('stops after its start when the signal arrives during the start', async () => {
    const started = start('starts-on-signal.ts');
    await logged(started, 'starting');
    started.child.kill('SIGTERM');
    started.child.kill('SIGUSR2');
    expect(await started.exited).toEqual([0, null]);
    expect(started.said.out).toContain('"stopped"');
  });

  test('exits with an error when it fails to stop', async () => {
    const started = start('never-stops.ts');
    await logged(started, 'listening');
    started.child.kill('SIGTERM');
    const [code] = await started.exited;
    expect(code).toBe(1);
    expect(started.said.err + started.said.out).toContain('the last flush failed');
  });
});

test('exits with code 1 and names the invalid setting, without its value', async () => {
  const started = start('never-starts.ts', { TEST_SECRET: 'hunter2' });
  expect(await started.exited).toEqual([1, null]);
  expect(started.said.err).toContain('TEST_SECRET');
  expect(started.said.err + started.said.out).not.toContain('hunter2');
});
