import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '@event-api/local-servers/chromium';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let chrome: Browser;
beforeAll(async () => {
  app = await startTestConsole({ passkeys: true });
  mkdirSync(app.webFolder, { recursive: true });
  writeFileSync(join(app.webFolder, 'index.html'), '<!doctype html><title>Console</title>');
  chrome = await chromium.launch({
    executablePath: findChromium((line) => process.stderr.write(`${line}\n`)),
    args: ['--no-sandbox', '--disable-gpu'],
  });
}, 600_000);
afterAll(async () => {
  await chrome?.close();
  await app?.close();
});

/** A page of the console in a new browser with a virtual device for passkeys. */
async function newPage(): Promise<{ page: Page; device: CDPSession; deviceId: string }> {
  const context = await chrome.newContext();
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId: deviceId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(app.consoleUrl);
  return { page, device, deviceId };
}

/** A response as a page reads it. */
interface PageResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a response.
  body: any;
}

const post = (page: Page, path: string, body: object): Promise<PageResponse> =>
  page.evaluate(
    async ([to, content]) => {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(content),
      });
      return { status: response.status, body: await response.json() };
    },
    [path, body] as const,
  );

const get = (page: Page, path: string): Promise<PageResponse> =>
  page.evaluate(async (from) => {
    const response = await fetch(from);
    return { status: response.status, body: await response.json() };
  }, path);

const session = (page: Page) => get(page, '/api/session');

/** Runs a function of the browser, whose types are not those of this process. */
// biome-ignore lint/suspicious/noExplicitAny: a value of the browser.
const inBrowser = (page: Page, code: string, input: unknown): Promise<any> =>
  page.evaluate(`(${code})(${JSON.stringify(input)})`);

/** Creates the passkey that the options of the server describe. */
const create = (page: Page, options: unknown) =>
  inBrowser(
    page,
    `async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
      return (await navigator.credentials.create({ publicKey })).toJSON();
    }`,
    options,
  );

/** Signs the challenge of the options of the server. */
const sign = (page: Page, options: unknown) =>
  inBrowser(
    page,
    `async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
      return (await navigator.credentials.get({ publicKey })).toJSON();
    }`,
    options,
  );

async function newInvitation(): Promise<string> {
  const { link } = await app.command('operator.invite', { platformAdmin: true });
  return new URL(link).hash.slice(1);
}

/** Registers a new operator with the link of an invitation, as its first page does. */
async function register(page: Page, name: string): Promise<void> {
  const invitation = await newInvitation();
  const options = await post(page, '/api/passkeys/registration/options', { invitation, name });
  expect(options.status).toBe(200);
  const response = await create(page, options.body);
  expect((await post(page, '/api/passkeys/registration', { response })).status).toBe(200);
  expect((await post(page, '/api/invitations/accept', { token: invitation })).status).toBe(200);
}

async function signIn(page: Page): Promise<number> {
  const options = await post(page, '/api/passkeys/sign-in/options', {});
  const response = await sign(page, options.body);
  return (await post(page, '/api/passkeys/sign-in', { response })).status;
}

test('the first operator registers a passkey by its link, and signs in again with it', async () => {
  const { page } = await newPage();
  await register(page, 'Ada');
  const first = await session(page);
  expect(first.body.operator).toMatchObject({ name: 'Ada', email: null, platformAdmin: true });
  await post(page, '/api/sign-out', {});
  expect((await session(page)).status).toBe(401);
  expect(await signIn(page)).toBe(200);
  expect((await session(page)).body.operator.id).toBe(first.body.operator.id);
});

test('nobody registers without an open invitation', async () => {
  const { page } = await newPage();
  for (const invitation of [undefined, 'x'.repeat(43)]) {
    const response = await post(page, '/api/passkeys/registration/options', {
      invitation,
      name: 'Eve',
    });
    expect([response.status, response.body.error.details]).toEqual([
      412,
      [{ reason: 'INVITATION_ENDED' }],
    ]);
  }
});

test('a signed challenge is accepted once', async () => {
  const { page } = await newPage();
  await register(page, 'Grace');
  const options = await post(page, '/api/passkeys/sign-in/options', {});
  const response = await sign(page, options.body);
  expect((await post(page, '/api/passkeys/sign-in', { response })).status).toBe(200);
  expect((await post(page, '/api/passkeys/sign-in', { response })).status).toBe(401);
});

test('an expired challenge and one for another purpose are rejected', async () => {
  const { page } = await newPage();
  await register(page, 'Mary');
  const options = await post(page, '/api/passkeys/sign-in/options', {});
  const response = await sign(page, options.body);
  await app.database.sql(
    "update console.passkey_challenge set expires_at = now() - interval '1 s'",
  );
  expect((await post(page, '/api/passkeys/sign-in', { response })).status).toBe(401);
  const other = await post(page, '/api/passkeys/registration/options', {});
  const { challenge } = other.body;
  const signed = await sign(page, { ...options.body, challenge });
  expect((await post(page, '/api/passkeys/sign-in', { response: signed })).status).toBe(401);
});

test('the passkey of another console is unknown', async () => {
  const { page } = await newPage();
  await register(page, 'Edsger');
  await app.database.sql('delete from console.passkey');
  expect(await signIn(page)).toBe(401);
});

test('an operator has several passkeys and keeps the last one', async () => {
  const { page, device, deviceId } = await newPage();
  await register(page, 'Barbara');
  // The second device: the first one refuses a second passkey of the same operator.
  await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: deviceId });
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const options = await post(page, '/api/passkeys/registration/options', {});
  expect(options.body.excludeCredentials).toHaveLength(1);
  const response = await create(page, options.body);
  expect((await post(page, '/api/passkeys/registration', { response })).status).toBe(200);
  const [first, second] = (await get(page, '/api/passkeys')).body.passkeys;
  expect(await post(page, '/api/passkeys/remove', { id: first.id })).toMatchObject({ status: 200 });
  expect(await post(page, '/api/passkeys/remove', { id: first.id })).toMatchObject({ status: 404 });
  expect(await post(page, '/api/passkeys/remove', { id: second.id })).toMatchObject({
    status: 400,
  });
  const { operator } = (await session(page)).body;
  const entries = await app.database.sql<{ operation: string; records: string[] }>(
    `select operation, records from console.audit_entry where actor_id = $1 and operation like 'passkey.%' order by at`,
    [operator.id],
  );
  expect(entries).toEqual([
    { operation: 'passkey.add', records: [first.id, operator.id] },
    { operation: 'passkey.add', records: [second.id, operator.id] },
    { operation: 'passkey.remove', records: [first.id, operator.id] },
  ]);
});
