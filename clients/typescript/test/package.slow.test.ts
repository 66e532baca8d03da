import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../scripts/build.ts';
import { createSecret, signedHeaders } from '../src/cli/sign.ts';
import { sendJson, startServer } from './server.ts';

let folder: string;
/** Unpacks the tarball of `npm pack` where a project of an integrator would install it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'event-api-package-'));
  build(join(folder, 'dist'));
  const packed = execFileSync('npm', ['pack', '--json', join(folder, 'dist')], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed);
  const target = join(folder, 'node_modules/@event-api/client');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A program of an integrator: it lists the events, and verifies a webhook that is signed and one
 * that is not.
 */
function writeApplication(baseUrl: string): string {
  const secret = createSecret();
  const body = JSON.stringify({ id: 'chg_1', type: 'order.paid' });
  const webhook = {
    key: secret,
    headers: signedHeaders(secret, { id: 'chg_1', body, now: new Date() }),
    body,
  };
  const path = join(folder, 'app.js');
  writeFileSync(
    path,
    `import { createClient, listAll, listEvents, verifyWebhook } from '@event-api/client';
     const client = createClient({ baseUrl: '${baseUrl}', apiKey: 'sk_test' });
     for await (const event of listAll(listEvents, { client })) console.log(event.id);
     const webhook = ${JSON.stringify(webhook)};
     console.log((await verifyWebhook(webhook)).type);
     await verifyWebhook({ ...webhook, body: '{}' }).catch(({ name }) => console.log(name));`,
  );
  return path;
}

const runtimes = [
  { runtime: 'Node', program: process.execPath, args: [] },
  { runtime: 'Deno', program: 'deno', args: ['run', '--allow-net'] },
  { runtime: 'Bun', program: 'bun', args: [] },
];

describe.each(runtimes)('in $runtime', ({ program, args }) => {
  const isAtHand = spawnSync(program, ['--version']).status === 0;
  test.skipIf(!isAtHand)('an application calls the API with the packed library', async () => {
    const url = await startServer((_, response) =>
      sendJson(response, 200, { events: [{ id: 'evt_1' }], nextCursor: null }),
    );
    const application = writeApplication(url);
    const { stdout } = await promisify(execFile)(program, [...args, application], { cwd: folder });
    expect(stdout).toBe('evt_1\norder.paid\nWebhookVerificationError\n');
  });
});

test('the packed package contains the program event-api', () => {
  const { bin } = JSON.parse(
    readFileSync(join(folder, 'node_modules/@event-api/client/package.json'), 'utf8'),
  );
  const path = join(folder, 'node_modules/@event-api/client', bin['event-api']);
  const run = spawnSync(process.execPath, [path, '--version'], { encoding: 'utf8' });
  expect(run.stdout, run.stderr).toMatch(/^API version \d{4}-\d\d-\d\d\n$/);
});

test('its types describe each operation to a project of an integrator', () => {
  writeFileSync(
    join(folder, 'app.ts'),
    `import { createClient, createEvent, listAll, listOrders } from '@event-api/client';
     const client = createClient({ baseUrl: '', apiKey: '' });
     const event = await createEvent({ client, body: { name: 'A', timezone: 'UTC' } });
     const id: string = event.id;
     for await (const order of listAll(listOrders, { client, path: { eventId: id } })) {
       const amount: number = order.totalAmount;
       // @ts-expect-error: an order does not have this field.
       order.totalAmont;
     }
     // @ts-expect-error: the name is a text.
     await createEvent({ client, body: { name: 1, timezone: 'UTC' } });`,
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, types: [], rootDir: '.' },
        ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'] },
      },
      files: ['app.ts'],
    }),
  );
  const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
  const compile = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
  expect(compile.stdout).toBe('');
});

test('a bundle with one operation is smaller than 6 kB compressed', async () => {
  const input = join(folder, 'one.js');
  writeFileSync(
    input,
    `import { createClient, getEvent } from '@event-api/client';
     console.log(await getEvent({ client: createClient({ baseUrl: '', apiKey: '' }), path: { eventId: '' } }));`,
  );
  const bundle = await rolldown({ input, logLevel: 'silent' });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');
  expect(code).not.toContain('/v1/changes');
  expect(gzipSync(code).length).toBeLessThan(6000);
});
