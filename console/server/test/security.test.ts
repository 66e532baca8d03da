import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserClient, createBrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let browser: BrowserClient;
beforeAll(async () => {
  app = await startTestConsole();
  browser = await app.signIn('olivia');
  await app.join(browser, 'unit_security', 'owner');
});
afterAll(() => app?.close());

const mutations = [
  '/api/sign-out',
  '/api/invitations/accept',
  '/api/units/unit_security/operator/event.list',
  '/api/units/unit_security/v1/events',
  '/api/platform/operator/unit.list',
  '/api/no/such/path',
];

describe('a mutation', () => {
  test.each(
    mutations.flatMap((path) =>
      [null, 'null', 'https://evil.example', 'http://localhost:1'].map(
        (origin) => [path, origin] as const,
      ),
    ),
  )('of %s with the origin %s is a 403 and reaches no owner', async (path, origin) => {
    app.owners.received.length = 0;
    const response = await browser.send(path, { method: 'POST', body: {}, origin });
    expect([response.status, response.json().error.status]).toEqual([403, 'PERMISSION_DENIED']);
    expect(app.owners.received).toEqual([]);
  });

  test('of a form of another site is a 403', async () => {
    const response = await browser.send('/api/sign-out', {
      method: 'POST',
      body: 'everywhere=true',
      origin: 'https://evil.example',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(403);
    expect((await browser.send('/api/session')).status).toBe(200);
  });

  test('with a body of a form is a 415, also from the console', async () => {
    const response = await browser.send('/api/units/unit_security/operator/event.list', {
      method: 'POST',
      body: '{"businessUnitId":"unit_security"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(415);
  });

  test('without a session is a 401', async () => {
    for (const path of mutations.slice(0, 4)) {
      expect((await app.newBrowser().post(path)).status).toBe(401);
    }
  });
});

describe('the cookies', () => {
  /** The first `Set-Cookie` lines of a whole sign-in: of its beginning, and of its session. */
  async function cookiesOf(
    { consoleUrl, newBrowser }: TestConsole,
    names: { signIn: string; session: string },
  ) {
    const client = newBrowser();
    const path = '/api/sign-in';
    let current = new URL(`${path}?hint=vera`, consoleUrl);
    for (let isLast = false; !isLast; ) {
      // Its response leads to the address of the console, which these tests do not serve over
      // HTTPS.
      isLast = current.pathname === `${path}/callback`;
      const { headers } = await client.send(current.href);
      current = new URL(headers.get('location') ?? '', current);
    }
    const lineOf = (name: string) =>
      client.setCookies.find((line) => line.startsWith(`${name}=`)) ?? '';
    return { signIn: lineOf(names.signIn), session: lineOf(names.session) };
  }
  const flagsOf = (line: string) => line.split('; ').slice(1);
  const flags = ['HttpOnly', 'SameSite=Lax', 'Path=/'];

  test('over HTTPS have the prefix __Host-, Secure, HttpOnly, SameSite, all paths and no domain', async () => {
    const other = await startTestConsole({ consoleUrl: 'https://console.example' });
    try {
      const names = { signIn: '__Host-sign-in', session: '__Host-session' };
      const { signIn, session } = await cookiesOf(other, names);
      expect(flagsOf(session).toSorted()).toEqual([...flags, 'Secure'].toSorted());
      expect(flagsOf(signIn)).toEqual(expect.arrayContaining([...flags, 'Secure']));
      expect(signIn).not.toMatch(/domain/i);
    } finally {
      await other.close();
    }
  });

  test('on this machine have the port in their names, and all flags but Secure; that of the session ends with the browser', async () => {
    const { port } = new URL(app.consoleUrl);
    const names = { signIn: `sign_in_${port}`, session: `session_${port}` };
    const { signIn, session } = await cookiesOf(app, names);
    expect(flagsOf(session).toSorted()).toEqual(flags.toSorted());
    expect(flagsOf(signIn)).toEqual(expect.arrayContaining(flags));
    expect(signIn).not.toMatch(/secure|domain/i);
  });
});

describe('every response', () => {
  test.each(['/', '/units/unit_1', '/api/session', '/api/no/such/path', '/api/sign-in/methods'])(
    'of %s cannot be shown in a frame and runs no inline script',
    async (path) => {
      const { headers } = await browser.send(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('request-id')).toMatch(/^req_/);
    },
  );

  test('of the API is stored by no cache', async () => {
    for (const path of ['/api/session', '/api/commands', '/api/units/unit_security/v1/events']) {
      expect((await browser.send(path)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('the files of the application', () => {
  beforeAll(() => {
    mkdirSync(join(app.webFolder, 'assets'));
    writeFileSync(join(app.webFolder, 'assets/main-1.js'), 'main()');
    writeFileSync(join(app.webFolder, 'icon.svg'), '<svg/>');
    writeFileSync(join(app.webFolder, '..', 'outside.txt'), 'outside');
  });

  test('are missing before a build, and a page says so', async () => {
    const response = await app.newBrowser().send('/');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
    expect(response.text).toContain('The console is not built');
  });

  test('are sent with the start page for every path of the application', async () => {
    writeFileSync(join(app.webFolder, 'index.html'), '<title>Console</title>');
    for (const path of ['/', '/units/unit_1/orders?tab=1', '/invitation', '/index.html']) {
      const response = await app.newBrowser().send(path);
      expect([response.status, response.text]).toEqual([200, '<title>Console</title>']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-type')).toContain('text/html');
    }
  });

  test('are cached forever if their name contains a hash', async () => {
    const asset = await app.newBrowser().send('/assets/main-1.js');
    expect([asset.status, asset.text]).toEqual([200, 'main()']);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toContain('javascript');
    const icon = await app.newBrowser().send('/icon.svg');
    expect([icon.text, icon.headers.get('cache-control')]).toEqual(['<svg/>', 'no-cache']);
  });

  test('of an older build are a 404', async () => {
    expect((await app.newBrowser().send('/assets/main-0.js')).status).toBe(404);
  });

  test.each([
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/..%5coutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/%00',
  ])('are only those of the folder: %s', async (path) => {
    const response = await app.newBrowser().send(path);
    expect(response.text).not.toContain('outside');
    expect([200, 400, 404]).toContain(response.status);
  });
});

test('two browsers never share a session', async () => {
  const [one, other] = [await app.signIn('fiona'), createBrowserClient(app.consoleUrl)];
  expect((await one.send('/api/session')).status).toBe(200);
  expect((await other.send('/api/session')).status).toBe(401);
});
