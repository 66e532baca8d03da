import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  killProcessesOn,
  newDataDir,
  startPlatform,
} from '@event-api/e2e/fixtures/platform-under-test';
import { freePort } from '@event-api/local-servers/ports';
import { startPrivateNats } from '@event-api/platform/testing/private-nats';
import { expect, onTestFinished, test } from 'vitest';

// The kind: a start that succeeds without a part that everything needs.

function dataDir(): string {
  const folder = newDataDir();
  onTestFinished(() => {
    killProcessesOn(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A folder on a disk of this size, or null without the right to mount one. */
function smallDisk(size: string): string | null {
  const folder = dataDir();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder]).status !== 0)
    return null;
  onTestFinished(() => {
    killProcessesOn(folder);
    spawnSync('umount', ['--lazy', folder]);
  });
  return folder;
}

test('npm start on a disk that is too small ends, and says how much space it needs', async (context) => {
  const disk = smallDisk('320m');
  if (disk === null) return context.skip();
  const platform = startPlatform({ DATA_DIR: join(disk, 'data'), PORT: String(await freePort()) });
  expect(await platform.exit).toBe(1);
  expect(platform.output()).toMatch(
    /has 3\d\d MB free, and the platform needs 1\.5 GB: .*DATA_DIR=/,
  );
  expect(platform.output()).not.toContain('API key');
});

// nats-io/nats-server#3641: the share of a small disk is less than the stream, which is then refused.
test('npm start on a small disk gives the messages a share of it, and says so', async (context) => {
  const disk = smallDisk('1600m');
  if (disk === null) return context.skip();
  const platform = startPlatform({ DATA_DIR: join(disk, 'data'), PORT: String(await freePort()) });
  await platform.until('API key');
  expect(platform.output()).toMatch(/has 1\.6 GB free: messages take up to (3[89]\d|40\d) MB/);
  platform.process.kill('SIGTERM');
  expect(await platform.exit).toBe(0);
});

// nats-io/k8s#740: a server that is up refuses the stream with "insufficient storage resources available".
test('npm start with a NATS server that refuses the stream ends, and says why', async () => {
  const nats = await startPrivateNats({
    authorization: `
      accounts { SMALL: { jetstream: { max_file: 1MB, max_mem: 0 }, users: [{ user: small, password: small }] } }
      no_auth_user: small`,
  });
  onTestFinished(nats.close);
  const platform = startPlatform({
    DATA_DIR: dataDir(),
    PORT: String(await freePort()),
    NATS_URL: nats.url,
  });
  expect(await platform.exit).toBe(1);
  expect(platform.output()).toMatch(/catalog cannot use nats: .*(storage|resources)/);
  expect(platform.output()).not.toContain('API key');
});
