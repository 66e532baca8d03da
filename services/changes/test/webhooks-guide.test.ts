import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpointStatuses } from '@event-api/contracts/http/webhook-endpoints';
import { encrypt, readKeyRing } from '@event-api/platform/core/key-ring';
import { movesInGuides } from '@event-api/platform/testing/state-diagrams';
import { afterAll, describe, expect, test } from 'vitest';
import { createSecret, createSigningPair, signingKeysOf } from '../src/webhooks/secrets.ts';
import { sign } from '../src/webhooks/signing.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'event-api-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );

/** Runs a program and returns the words that it prints. */
function run(command: string, file: string, source: string): string[] {
  const path = join(folder, file);
  writeFileSync(path, source);
  const { stdout, stderr, status } = spawnSync(command, [path], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout.trim().split(/\s+/);
}

const secret = createSecret();
const { signingKey, publicKey } = createSigningPair();
const ring = readKeyRing([randomBytes(32).toString('base64url')]);
const endpoint = {
  id: 'whe_1',
  secret: encrypt(ring, 'whe_1', createSecret()),
  previousSecrets: [
    { secret: encrypt(ring, 'whe_1', secret), until: new Date(Date.now() + 60_000).toISOString() },
  ],
  signingKey: encrypt(ring, 'whe_1', signingKey),
};
const body = '{"type":"order.paid","label":"Ä"}';

/** Headers of a delivery that was signed some time ago, during a rotation. */
function headersOf(ageSeconds: number) {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  const keys = signingKeysOf(ring, endpoint, new Date());
  return {
    'webhook-id': 'chg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(body, { id: 'chg_1', timestamp, ...keys }),
  };
}

const valid = headersOf(0);
const cases = [
  { headers: valid, body },
  { headers: valid, body: body.replace('paid', 'held') },
  { headers: headersOf(600), body },
  { headers: headersOf(-600), body },
  { headers: { ...valid, 'webhook-id': 'chg_2' }, body },
  { headers: { ...valid, 'webhook-signature': 'v1,AAAA v2,text v1a,' }, body },
];
const expected = ['order.paid', 'rejected', 'rejected', 'rejected', 'rejected', 'rejected'];

describe('the code of the guide accepts exactly what the platform has signed', () => {
  test('in TypeScript with the secret', () => {
    const source = `${blocksOf('typescript')[0]}
for (const { headers, body } of ${JSON.stringify(cases)}) {
  try { console.log(verifyWebhook(${JSON.stringify(secret)}, headers, body).type); }
  catch { console.log('rejected'); }
}`;
    expect(run(process.execPath, 'verify.ts', source)).toEqual(expected);
  });

  test('in TypeScript with the public key', () => {
    const source = `${blocksOf('typescript')[1]}
for (const { headers, body } of ${JSON.stringify(cases)})
  console.log(isFromApi(${JSON.stringify(publicKey)}, headers, body) ? 'order.paid' : 'rejected');`;
    expect(run(process.execPath, 'public-key.ts', source)).toEqual(expected);
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!hasPython)('in Python', () => {
    const source = `${blocksOf('python')[0]}
for case in json.loads(${JSON.stringify(JSON.stringify(cases))}):
    try:
        print(verify_webhook(${JSON.stringify(secret)}, case["headers"], case["body"].encode())["type"])
    except ValueError:
        print("rejected")`;
    expect(run('python3', 'verify.py', source)).toEqual(expected);
  });
});

test('the diagram of the guide shows every status of an endpoint', () => {
  const shown = movesInGuides('webhooks').flatMap((move) => move.split(' > '));
  expect([...new Set(shown)].toSorted()).toEqual([...endpointStatuses].toSorted());
});
