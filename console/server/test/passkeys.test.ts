import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let chrome: Browser;
beforeAll(async () => {
  app = await startTestConsole({ passkeys: true, webFolder: await buildWeb() });
  chrome = await sharedBrowser();
}, 600_000);
afterAll(async () => {
  await closeContexts(chrome);
  await app?.close();
});

/** Builds the application, unless another test has, and resolves with its folder. */
async function buildWeb(): Promise<string> {
  const root = join(import.meta.dirname, '../../..');
  const build = [join(root, 'tools/console/build.ts'), 'console'];
  const { stdout } = await promisify(execFile)(process.execPath, build, { cwd: root });
  return stdout.trim();
}

/**
 * Connects a virtual device for passkeys to a page. `transport` is `usb` for a device of its own.
 */
async function addDevice(device: CDPSession, transport: 'internal' | 'usb'): Promise<string> {
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

/** Disconnects a device and connects another one. */
async function changeDevice(device: CDPSession, authenticatorId: string): Promise<string> {
  await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  return addDevice(device, 'usb');
}

/**
 * A page of the console's origin in a new context with a virtual device for passkeys. It is a
 * response of the API: most tests need no application, which takes longer to load than they run.
 */
async function newPage(): Promise<{ page: Page; device: CDPSession; deviceId: string }> {
  const context = await chrome.newContext();
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  const deviceId = await addDevice(device, 'internal');
  await page.goto(`${app.consoleUrl}/api/session`);
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
  const begin = (invitation?: string) =>
    post(page, '/api/passkeys/registration/options', { invitation, name: 'Eve' });
  expect((await begin()).status).toBe(401);
  const ended = await begin('x'.repeat(43));
  expect([ended.status, ended.body.error.details]).toEqual([412, [{ reason: 'INVITATION_ENDED' }]]);
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
  await changeDevice(device, deviceId);
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

describe('the pages', () => {
  const problems: string[] = [];
  let page: Page;
  let device: CDPSession;
  let deviceId: string;
  beforeAll(async () => {
    ({ page, device, deviceId } = await newPage());
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => problems.push(message));
    app.owners.respondWith((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"units":[],"nextCursor":null}'),
    );
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const rows = () => page.getByRole('table', { name: 'Passkeys' }).locator('tbody tr');

  async function openAccount(): Promise<void> {
    await button('Your account: Katherine').click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  }

  async function signOut(): Promise<void> {
    await button('Your account: Katherine').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  }

  test('let an invited person create a passkey, and say when the device has created none', async () => {
    const { link } = await app.command('operator.invite', { platformAdmin: true });
    await page.goto(link);
    await button('Create a passkey').click();
    await page.getByText('Enter a value').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Your name').fill('Katherine');
    await device.send('WebAuthn.setUserVerified', {
      authenticatorId: deviceId,
      isUserVerified: false,
    });
    await button('Create a passkey').click();
    await page.getByText('No passkey was added.').waitFor();
    await device.send('WebAuthn.setUserVerified', {
      authenticatorId: deviceId,
      isUserVerified: true,
    });
    await button('Create a passkey').click();
    await button('Accept the invitation').click();
    await button('Your account: Katherine').waitFor();
  });

  test('keep the only passkey, refuse a second one of a device, and add that of another device', async () => {
    await openAccount();
    await rows().getByText('It is your only passkey.', { exact: false }).waitFor();
    await button('Add a passkey').click();
    await page.getByText('No passkey was added.').waitFor();
    deviceId = await changeDevice(device, deviceId);
    await button('Add a passkey').click();
    await page.getByText('The passkey is added').waitFor();
    await rows().nth(1).getByText('Never').waitFor();
  });

  test('sign in with the passkey that was added', async () => {
    await signOut();
    await button('Continue with a passkey').click();
    await openAccount();
    await rows().nth(1).waitFor();
    expect(await rows().nth(1).getByText('Never').count()).toBe(0);
  });

  test('invite without an email, which nobody has verified', async () => {
    await page.goto(`${app.consoleUrl}/platform/administrators`);
    await button('Invite an administrator').click();
    const dialog = page.getByRole('dialog', { name: 'Invite an administrator' });
    await dialog.getByRole('button', { name: 'Create the link' }).waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await page.keyboard.press('Escape');
    await openAccount();
    await rows().nth(1).waitFor();
  });

  test('remove a passkey, which is refused afterwards', async () => {
    await rows()
      .nth(1)
      .getByRole('button', { name: /^Remove the passkey of .*:/ })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove the passkey of/ })
      .click();
    await page.getByText('The passkey is removed').waitFor();
    await rows().nth(1).waitFor({ state: 'detached' });
    await signOut();
    await button('Continue with a passkey').click();
    await page
      .getByRole('alert')
      .getByText('The passkey was not accepted.', { exact: false })
      .waitFor();
    expect((await session(page)).status).toBe(401);
    expect(problems).toEqual([]);
  });
});
