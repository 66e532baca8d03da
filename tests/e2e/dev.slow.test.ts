import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, expect, test } from 'vitest';
import { killProcessesOn, newDataDir, startPlatform } from './fixtures/platform-under-test.ts';

const dataDir = newDataDir();
afterAll(() => {
  killProcessesOn(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

const source = join(import.meta.dirname, '../../services/commerce/src/errors.ts');

test('npm run dev restarts the named process when its sources change, with a port for a debugger', async () => {
  const DEMO_API_KEY = `sk_live_${'d'.repeat(32)}`;
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), DEMO_API_KEY };
  const platform = startPlatform(env, ['--watch', 'commerce']);
  await platform.until('commerce accepts a debugger');
  const targets = async () =>
    (await (await fetch('http://127.0.0.1:9229/json')).json()) as { id: string }[];
  const [before] = await targets();
  const now = new Date();
  utimesSync(source, now, now);
  await platform.until('restarting commerce');
  // The gateway warns of each of them.
  const headers = { authorization: `Bearer ${DEMO_API_KEY}` };
  for (let i = 0; i < 20; i++) {
    await fetch(`http://127.0.0.1:${env.PORT}/v1/events/evt_1/orders`, { headers });
  }
  await platform.until('commerce is ready again');
  await eventually(async () => expect((await targets())[0]?.id).not.toBe(before?.id));
  expect(platform.output().match(/restarting (\S+)/g)).toEqual(['restarting commerce']);
  await platform.until('warnings during the restart are not shown');
  expect(platform.output()).not.toContain('ECONNREFUSED');
  platform.process.kill('SIGTERM');
  expect(await platform.exit).toBe(0);
});
