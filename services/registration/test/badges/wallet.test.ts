import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { config, type WalletSigner, walletOf } from '../../src/config.ts';
import { createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { errorSummary, register } from '../projection-fixtures.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'wallet-'));
const passphrase = 'a passphrase';

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}

/** A certificate for passes with an encrypted key, issued by an authority of its own. */
function createSigner(): WalletSigner {
  const newKey = ['-newkey', 'rsa:2048', '-days', '2'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-noenc',
    '-keyout',
    'authority.key',
    '-out',
    'authority.pem',
    '-subj',
    '/CN=WWDR',
  );
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-passout',
    `pass:${passphrase}`,
    '-keyout',
    'pass.key',
    '-out',
    'pass.pem',
    '-subj',
    '/UID=pass.example.badge/CN=Pass',
    '-CA',
    'authority.pem',
    '-CAkey',
    'authority.key',
  );
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    certificate: read('pass.pem'),
    privateKey: read('pass.key'),
    passphrase,
    authority: read('authority.pem'),
    passTypeId: 'pass.example.badge',
    teamId: 'TEAM123456',
  };
}

/** The files of a ZIP without compression. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = 0;
  while (zip.readUInt32LE(at) === 0x04034b50) {
    const [size, name, extra] = [
      zip.readUInt32LE(at + 18),
      zip.readUInt16LE(at + 26),
      zip.readUInt16LE(at + 28),
    ];
    const start = at + 30 + name + extra;
    files.set(zip.toString('utf8', at + 30, at + 30 + name), zip.subarray(start, start + size));
    at = start + size;
  }
  return files;
}

let service: TestRegistration;
let signer: WalletSigner;
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newBadge(): Promise<{
  call: HttpClient;
  id: string;
  checkinCode: string;
  path: string;
}> {
  const scope = await createTestEvent(service.sql);
  const registrationTypeId = await createTestTicketType(service.sql, scope);
  const call = await service.as(scope.businessUnitId);
  const created = await register(call, scope, { name: 'Ada Lovelace', registrationTypeId });
  const path = `/v1/events/${scope.eventId}/registrations/${created.id}/badge?format=pkpass`;
  return { call, path, ...created };
}

describe.runIf(hasOpenssl)('a wallet pass', () => {
  beforeAll(async () => {
    signer = createSigner();
    service = await startRegistration({ wallet: signer });
  });

  test('is signed by what the settings contain, and a process with wrong ones does not start', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd' };
    const others = {
      PORT: '0',
      INTERNAL_PORT: '0',
      DATABASE_URL: 'postgres://localhost/x',
      NATS_URL: 'nats://localhost',
      CALLER_PRIVATE_KEY: JSON.stringify(key),
      CALLER_PUBLIC_KEYS: JSON.stringify({ gateway: [key] }),
    };
    const { certificate, privateKey, authority, passTypeId, teamId } = signer;
    const all = {
      ...others,
      WALLET_CERTIFICATE: certificate,
      WALLET_PRIVATE_KEY: privateKey,
      WALLET_PRIVATE_KEY_PASSPHRASE: passphrase,
      WALLET_WWDR_CERTIFICATE: authority,
      WALLET_PASS_TYPE_ID: passTypeId,
      WALLET_TEAM_ID: teamId,
    };
    expect(walletOf(config(all))).toEqual(signer);
    expect(walletOf(config(others))).toBeNull();
    expect(() => config({ ...all, WALLET_TEAM_ID: '' })).toThrow('WALLET_TEAM_ID');
    expect(() => config({ ...all, WALLET_CERTIFICATE: 'x' })).toThrow(
      'WALLET_CERTIFICATE: must be',
    );
    for (const wrong of [
      { WALLET_PRIVATE_KEY_PASSPHRASE: 'another one' },
      { WALLET_CERTIFICATE: authority },
    ]) {
      expect(() => config({ ...all, ...wrong })).toThrow('WALLET_PRIVATE_KEY: must be the key of');
    }
  });

  test('has the QR code of the badge and a signature that its authority confirms', async () => {
    const { call, path, id, checkinCode } = await newBadge();
    const { status, headers, body } = await call('GET', path);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/vnd.apple.pkpass',
      'inline; filename="badge.pkpass"',
    ]);
    const files = unzip(body);
    const json = (name: string) => JSON.parse(String(files.get(name)));
    expect(json('pass.json')).toMatchObject({
      formatVersion: 1,
      serialNumber: id,
      passTypeIdentifier: 'pass.example.badge',
      teamIdentifier: 'TEAM123456',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: checkinCode, altText: checkinCode }],
      eventTicket: {
        primaryFields: [{ value: 'Summit' }],
        secondaryFields: [{ value: 'Ada Lovelace' }, { value: 'Day pass' }],
      },
    });
    const sums = [...files].filter(([name]) => name !== 'manifest.json' && name !== 'signature');
    expect(json('manifest.json')).toEqual(
      Object.fromEntries(
        sums.map(([name, content]) => [name, createHash('sha1').update(content).digest('hex')]),
      ),
    );
    for (const name of ['manifest.json', 'signature']) {
      writeFileSync(join(folder, name), files.get(name) ?? '');
    }
    const verify = ['cms', '-verify', '-inform', 'DER', '-in', 'signature', '-content'];
    const trusted = ['-CAfile', 'authority.pem', '-purpose', 'any', '-out', 'verified', '-binary'];
    openssl(...verify, 'manifest.json', ...trusted);
    writeFileSync(join(folder, 'changed'), '{}');
    expect(() => openssl(...verify, 'changed', ...trusted)).toThrow('openssl cms');
  });
});

describe('without a certificate for wallet passes', () => {
  test('a pass is a 412, and the badge is not', async () => {
    await service?.close();
    service = await startRegistration();
    const { call, path } = await newBadge();
    expect(errorSummary(await call('GET', path))).toEqual([412, 'WALLET_UNAVAILABLE']);
    expect((await call('GET', path.replace('pkpass', 'svg'))).status).toBe(200);
  });
});
