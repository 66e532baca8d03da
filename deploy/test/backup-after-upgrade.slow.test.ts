import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from '@event-api/local-servers/program-releases';
import { ProgramsMissingError } from '@event-api/local-servers/programs';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  createPostgresFolder,
  createServerFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { restoreBackup } from '@event-api/provisioning/backup/restore';
import { takeBackup } from '@event-api/provisioning/backup/take';
import { afterAll, expect, test } from 'vitest';

const backups = mkdtempSync(join(tmpdir(), 'event-api-backups-'));
const servers: PrivatePostgres[] = [];
const folders: string[] = [backups];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function start(bin: string, options: { like?: string; folder?: string } = {}) {
  const place = createPostgresFolder();
  folders.push(place.folder);
  const folder = options.folder ?? place.folder;
  const server = await startPrivatePostgres({
    folder,
    bin,
    settings: archiveSettings(backups),
    ...(options.like && { like: options.like }),
  });
  servers.push(server);
  return { server, folder, data: join(folder, 'postgres') };
}

const take = ({ server, data }: Awaited<ReturnType<typeof start>>, archiveTimeoutMs?: number) =>
  takeBackup({
    databaseUrl: server.url,
    data,
    backups,
    ...(archiveTimeoutMs !== undefined && { archiveTimeoutMs }),
  });

const writeNote = (server: PrivatePostgres, text: string) =>
  server.sql(`create table note as select '${text}' as text`);

test('a new major is backed up and restored once the backups of the former one are aside', async (context) => {
  const find = async () => ({
    older: await postgresPrograms(17, console.error),
    newer: await postgresPrograms(18, console.error),
  });
  const { older, newer } = await find().catch((error: Error) => {
    if (error instanceof ProgramsMissingError) return context.skip(error.message);
    throw error;
  });
  for (const folder of ['', 'wal']) createServerFolder(join(backups, folder));
  const before = await start(older);
  await writeNote(before.server, 'before');
  const former = await take(before);
  await before.server.stop();

  // The log of the new server begins again, with names that the archive has already.
  const after = await start(newer, { like: before.folder });
  await writeNote(after.server, 'after');
  await after.server.sql('select pg_switch_wal()');
  await eventually(async () => {
    const [row] = await after.server.sql<{ failed: string }>(
      'select failed_count as failed from pg_stat_archiver',
    );
    expect(Number(row?.failed)).toBeGreaterThan(0);
  });
  await expect(take(after, 2000)).rejects.toThrow('has not archived its log');

  const aside = join(backups, 'postgres-17');
  mkdirSync(aside);
  for (const folder of ['base', 'wal']) renameSync(join(backups, folder), join(aside, folder));
  createServerFolder(join(backups, 'wal'));
  const taken = await take(after);
  expect([former, taken].map(({ serverVersion }) => Number.parseInt(serverVersion, 10))).toEqual([
    17, 18,
  ]);
  const { folder, data } = createPostgresFolder();
  folders.push(folder);
  await restoreBackup({ backups, data, target: { kind: 'end' } });
  const restored = await start(newer, { folder, like: before.folder });
  await eventually(async () =>
    expect(await restored.server.sql('select text from note')).toEqual([{ text: 'after' }]),
  );
});
