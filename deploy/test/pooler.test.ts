import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '@event-api/platform/db/database';
import { ormOptions } from '@event-api/platform/db/migrations';
import { expect, test } from 'vitest';
import { root } from './image-tree.ts';

/** What PgBouncer passes on or answers itself. */
const KNOWN_BY_POOLER = ['user', 'database', 'client_encoding', 'application_name'];

/**
 * The parameters with which a process opens a connection: pairs of strings after the length and the
 * version.
 */
async function startupParameters(): Promise<Record<string, string>> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://any:any@127.0.0.1:${port}/any`;
  const migrations = new URL('.', import.meta.url);
  const options = ormOptions({ url, schema: 'any', entities: [], migrations });
  const database = await openDatabase(options, 1);
  const connected = once(server, 'connection');
  const pinged = database.ping().catch(() => undefined);
  const [socket] = (await connected) as [Socket];
  const [packet] = (await once(socket, 'data')) as [Buffer];
  for (const each of sockets) each.destroy();
  await pinged;
  await database.close();
  server.close();
  const words = packet.toString('utf8', 8).split('\0').slice(0, -2);
  return Object.fromEntries(
    words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [])),
  );
}

test('the settings of PgBouncer in the README ignore what a process sends, and the role sets it', async () => {
  const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8');
  const [, ignored = ''] = /^ignore_startup_parameters = (.*)$/m.exec(readme) ?? [];
  const parameters = await startupParameters();
  const sent = Object.keys(parameters).filter((name) => !KNOWN_BY_POOLER.includes(name));
  expect(ignored.split(',').toSorted()).toEqual(sent.toSorted());

  const ofRole = Object.fromEntries(
    [...readme.matchAll(/^alter role \w+ set (\w+) = '?(\w+)'?;$/gm)].map(([, name, value]) => [
      name,
      value?.replace(/^(\d+)s$/, '$1000'),
    ]),
  );
  const { options = '', ...others } = parameters;
  const planner = [...options.matchAll(/-c (\w+)=(\w+)/g)].map(([, name, value]) => [name, value]);
  const expected = Object.entries({ ...others, ...Object.fromEntries(planner) });
  expect(ofRole).toEqual(
    Object.fromEntries(expected.filter(([each]) => !KNOWN_BY_POOLER.includes(each))),
  );
});
