import { permissions, permissionsOfRole, roles } from '@event-api/contracts/permissions';
import { serviceNames } from '@event-api/contracts/topology';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestCallers, type TestCallers } from '../../testing/callers.ts';
import { fixedClock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { createCallerSigner, createCallerVerifier, maxScopeEntries } from './caller-tokens.ts';

const now = 1_800_000_000;
const at = (seconds: number) => fixedClock(new Date((now + seconds) * 1000));
const claims = { audience: 'api', businessUnitId: 'unit_1', defaultCurrency: 'EUR' } as const;

let callers: TestCallers;
beforeAll(async () => {
  callers = await createTestCallers(['gateway', 'admin', 'console', 'catalog', 'stranger']);
});

const keyOf = (issuer: string): JWK => callers.privateJwks[issuer] ?? {};

const verifierAt = (seconds = 0, publicJwks: Record<string, readonly JWK[]> = callers.publicJwks) =>
  createCallerVerifier({ publicJwks, clock: at(seconds) });

const signed = async (issuer: string, key = keyOf(issuer), audience: 'api' | 'operator' = 'api') =>
  (await createCallerSigner({ issuer, privateJwk: key, clock: at(0) })).sign({
    ...claims,
    audience,
  });

/** A token that the signer would never create, correctly signed by `issuer`. */
async function forged(issuer: string, payload: Record<string, unknown>): Promise<string> {
  return new SignJWT({ iss: issuer, aud: 'api', iat: now, exp: now + 60, unit: 'u', ...payload })
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(await importJWK(keyOf(issuer), 'EdDSA'));
}

describe('a verifier accepts a token', () => {
  test('and returns the caller that its issuer signed', async () => {
    const verifier = await verifierAt();
    expect(await verifier.verify(await signed('gateway'), 'api')).toEqual({
      issuer: 'gateway',
      audience: 'api',
      businessUnitId: 'unit_1',
      defaultCurrency: 'EUR',
      keyId: '',
      permissions: null,
      events: null,
      doors: null,
      actor: { type: 'key', id: '' },
    });
  });

  test.each([
    [
      'the named actor',
      'catalog',
      { actor: { type: 'key', id: 'key_1' } },
      'service',
      { type: 'key', id: 'key_1' },
    ],
    ['the key of an integrator', 'gateway', { key: 'key_2' }, 'api', { type: 'key', id: 'key_2' }],
    ['the command line', 'admin', {}, 'operator', { type: 'cli', id: null }],
    ['the issuer, without an actor', 'catalog', {}, 'service', { type: 'system', id: 'catalog' }],
    [
      'the issuer, with an unknown kind of actor',
      'catalog',
      { actor: { type: 'ghost', id: 'x' } },
      'service',
      { type: 'system', id: 'catalog' },
    ],
  ] as const)('and returns %s as the actor', async (_, issuer, payload, audience, actor) => {
    const verifier = await verifierAt();
    const token = await forged(issuer, { ...payload, aud: audience });
    expect((await verifier.verify(token, audience))?.actor).toEqual(actor);
  });

  test.each([
    ['gateway', 'api'],
    ['admin', 'operator'],
    ...serviceNames.map((name) => [name, 'service'] as const),
  ] as const)('when %s signs for %s, and for nobody else', async (issuer, audience) => {
    const own = await createTestCallers([issuer]);
    const signer = await own.signer(issuer);
    const verifier = await createCallerVerifier({ publicJwks: own.publicJwks });
    for (const requested of ['api', 'operator', 'service'] as const) {
      const caller = await verifier.verify(
        await signer.sign({ ...claims, audience: requested }),
        requested,
      );
      expect(caller?.issuer).toBe(requested === audience ? issuer : undefined);
    }
  });

  test('signed with either of the two keys of its issuer', async () => {
    const next = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const old = callers.publicJwks.gateway ?? [];
    const both = { gateway: [...old, await exportJWK(next.publicKey)] };
    const newKey = await exportJWK(next.privateKey);
    const verifier = await verifierAt(0, both);
    expect(await verifier.verify(await signed('gateway'), 'api')).not.toBeNull();
    expect(await verifier.verify(await signed('gateway', newKey), 'api')).not.toBeNull();
    const onlyNew = await verifierAt(0, { gateway: both.gateway.slice(1) });
    expect(await onlyNew.verify(await signed('gateway'), 'api')).toBeNull();
    expect(await onlyNew.verify(await signed('gateway', newKey), 'api')).not.toBeNull();
  });

  test.each([
    [-299, true],
    [-301, false],
    [60 + 299, true],
    [60 + 301, false],
  ])('%i seconds after its signing: %s', async (seconds, believed) => {
    const token = await signed('gateway');
    const caller = await (await verifierAt(seconds)).verify(token, 'api');
    expect(caller !== null).toBe(believed);
  });

  test('only until it expires, although it is cached', async () => {
    let seconds = 0;
    const clock = { now: () => new Date((now + seconds) * 1000) };
    const verifier = await createCallerVerifier({ publicJwks: callers.publicJwks, clock });
    const token = await signed('gateway');
    expect(await verifier.verify(token, 'api')).not.toBeNull();
    seconds = 60 + 301;
    expect(await verifier.verify(token, 'api')).toBeNull();
  });
});

describe('a verifier rejects a token', () => {
  test.each([undefined, '', 'garbage', 'a.b.c', `${'x'.repeat(4001)}`])(
    'with the text %s',
    async (token) => {
      expect(await (await verifierAt()).verify(token, 'api')).toBeNull();
    },
  );

  test('for another audience, also when it is cached', async () => {
    const verifier = await verifierAt();
    const token = await signed('gateway');
    for (const audience of ['operator', 'api', 'service'] as const) {
      const caller = await verifier.verify(token, audience);
      expect(caller === null).toBe(audience !== 'api');
    }
  });

  test('that the key of another issuer signed', async () => {
    const token = await signed('gateway', keyOf('admin'));
    expect(await (await verifierAt()).verify(token, 'api')).toBeNull();
  });

  test('of an unknown issuer, and of one without audiences', async () => {
    const { stranger = [], ...others } = callers.publicJwks;
    const token = await signed('stranger');
    expect(await (await verifierAt(0, others)).verify(token, 'api')).toBeNull();
    expect(await (await verifierAt(0, { stranger })).verify(token, 'api')).toBeNull();
  });

  test('that was modified', async () => {
    const [header, payload = '', signature] = (await signed('gateway')).split('.');
    const claimed = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...claimed, unit: 'unit_2' })).toString('base64url');
    const verifier = await verifierAt();
    expect(await verifier.verify(`${header}.${other}.${signature}`, 'api')).toBeNull();
    expect(await verifier.verify(`${header}.${payload}.${signature}`, 'api')).not.toBeNull();
  });

  test('without a signature, or with a symmetric one', async () => {
    const payload = { iss: 'gateway', aud: 'api', iat: now, exp: now + 60, unit: 'unit_1' };
    const publicKey = callers.publicJwks.gateway?.[0]?.x ?? '';
    const hmac = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(publicKey, 'base64url'));
    const verifier = await verifierAt();
    expect(await verifier.verify(new UnsecuredJWT(payload).encode(), 'api')).toBeNull();
    expect(await verifier.verify(hmac, 'api')).toBeNull();
  });

  test.each([
    ['without an end', { exp: undefined }],
    ['without a beginning', { iat: undefined }],
    ['without an audience', { aud: undefined }],
    ['for two audiences', { aud: ['api', 'operator'] }],
    ['good for more than a minute', { exp: now + 61 }],
    ['made for the day after tomorrow', { iat: now + 172_800, exp: now + 172_860 }],
  ])('%s', async (_what, payload) => {
    const verifier = await verifierAt();
    expect(await verifier.verify(await forged('gateway', {}), 'api')).not.toBeNull();
    expect(await verifier.verify(await forged('gateway', payload), 'api')).toBeNull();
  });
});

describe('a signer', () => {
  test('creates a token for each unit, currency, key, audience and actor', async () => {
    const signer = await createCallerSigner({ issuer: 'gateway', privateJwk: keyOf('gateway') });
    const base = { ...claims, keyId: 'key_1' };
    const tokens = await Promise.all(
      [
        base,
        { ...base, businessUnitId: 'unit_2' },
        { ...base, defaultCurrency: 'USD' },
        { ...base, keyId: 'key_2' },
        { ...base, audience: 'service' as const },
        { ...base, actor: { type: 'key' as const, id: 'key_1' } },
        { ...base, actor: { type: 'system' as const, id: 'key_1' } },
        { ...base, permissions: [] },
        { ...base, permissions: ['design'] },
        { ...base, events: ['evt_1'] },
        { ...base, events: ['evt_1', 'evt_2'] },
        { ...base, doors: ['evt_1'] },
      ].map((wanted) => signer.sign(wanted)),
    );
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('never gives one operator the token of another, or of another role', async () => {
    const signer = await createCallerSigner({ issuer: 'console', privateJwk: keyOf('console') });
    const verifier = await createCallerVerifier({ publicJwks: callers.publicJwks });
    const people = ['opr_1', 'opr_2'].map((id) => ({ type: 'operator' as const, id }));
    const wanted = people.flatMap((actor) =>
      roles.map((role) => ({
        audience: 'operator' as const,
        businessUnitId: 'unit_1',
        actor,
        permissions: permissionsOfRole(role),
      })),
    );
    for (const each of [...wanted, ...wanted]) {
      const { actor, permissions } = each;
      const caller = await verifier.verify(await signer.sign(each), 'operator');
      expect(caller).toMatchObject({ issuer: 'console', actor, permissions });
    }
  });

  test('creates tokens that verifiers accept, with as many claims as possible', async () => {
    const wanted = {
      audience: 'api' as const,
      businessUnitId: newId('unit'),
      defaultCurrency: 'EUR',
      keyId: newId('key'),
      actor: { type: 'device' as const, id: 'x'.repeat(200) },
      permissions: [...permissions],
      events: Array.from({ length: maxScopeEntries }, () => newId('evt')),
      doors: Array.from({ length: maxScopeEntries }, () => newId('addon')),
    };
    const token = await (await callers.signer('gateway')).sign(wanted);
    expect(await callers.verifier.verify(token, 'api')).toMatchObject(wanted);
  });

  test.each(['events', 'doors'])('rejects more than 20 %s', async (list) => {
    const entries = Array.from({ length: maxScopeEntries + 1 }, (_, i) => `id_${i}`);
    const signer = await callers.signer('gateway');
    await expect(async () => signer.sign({ ...claims, [list]: entries })).rejects.toThrow();
    const token = await forged('gateway', { [list]: entries });
    expect(await (await verifierAt()).verify(token, 'api')).toBeNull();
  });

  test.each([
    ['gateway', 'api', { permissions: ['doors'] }, false],
    ['gateway', 'api', { events: ['evt_1'] }, false],
    ['gateway', 'api', {}, true],
    ['console', 'operator', { permissions: ['keys'] }, false],
    ['admin', 'operator', { permissions: ['platform'] }, true],
  ] as const)(
    'of %s for %s with %o: a release without permissions accepts it: %s',
    async (issuer, audience, limits, accepted) => {
      const token = await (await callers.signer(issuer)).sign({ audience, ...limits });
      const key = await importJWK(callers.publicJwks[issuer]?.[0] ?? {}, 'EdDSA');
      const verified = await jwtVerify(token, key).then(
        () => true,
        () => false,
      );
      expect(verified).toBe(accepted);
    },
  );

  test('reuses a token for half of its lifetime', async () => {
    let seconds = 0;
    const clock = { now: () => new Date((now + seconds) * 1000) };
    const signer = await createCallerSigner({
      issuer: 'gateway',
      privateJwk: keyOf('gateway'),
      clock,
    });
    const first = await signer.sign(claims);
    seconds = 29;
    expect(await signer.sign(claims)).toBe(first);
    seconds = 30;
    expect(await signer.sign(claims)).not.toBe(first);
  });
});
