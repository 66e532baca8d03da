import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
beforeAll(async () => {
  app = await startTestConsole();
});
afterAll(() => app?.close());

const newUnit = () => `unit_${randomUUID().slice(0, 8)}`;
const callbackOf = (visited: string[]) =>
  visited.find((url) => url.includes('/api/sign-in/callback')) ?? '';

describe('a sign-in at the identity provider', () => {
  test('creates an operator once, with the name and the email of the provider', async () => {
    const first = (await app.signIn('vera')).send('/api/session');
    const second = (await app.signIn('vera')).send('/api/session');
    const [{ operator }, again] = [(await first).json(), (await second).json()];
    expect(operator).toEqual({
      id: expect.stringMatching(/^opr_/),
      name: 'Vera Viewer',
      email: 'vera@example.com',
      platformAdmin: false,
    });
    expect(again.operator.id).toBe(operator.id);
  });

  test('creates one operator when two first sign-ins end at the same time', async () => {
    const browsers = await Promise.all(Array.from({ length: 4 }, () => app.signIn('oskar')));
    const sessions = await Promise.all(browsers.map((browser) => browser.send('/api/session')));
    expect(new Set(sessions.map((session) => session.json().operator.id)).size).toBe(1);
  });

  test('returns to the path from which it began', async () => {
    const browser = app.newBrowser();
    const path = '/units/unit_1?tab=orders';
    const { visited } = await browser.follow(
      `/api/sign-in?hint=vera&returnTo=${encodeURIComponent(path)}`,
    );
    expect(visited.at(-1)).toBe(`${app.consoleUrl}${path}`);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\evil.example',
    '/%09/evil.example',
    'https://evil.example',
    '%2F%2Fevil.example',
    '/%5Cevil.example',
  ])('never returns to another host: %s', async (returnTo) => {
    const { visited } = await app
      .newBrowser()
      .follow(`/api/sign-in?hint=vera&returnTo=${returnTo}`);
    expect(new URL(visited.at(-1) ?? '').origin).toBe(app.consoleUrl);
  });

  test('shows the choice of operators without a hint', async () => {
    const { visited, response } = await app.newBrowser().follow('/api/sign-in');
    expect(visited.at(-1)).toContain('/interaction/');
    expect(response.status).toBe(200);
    expect(response.text).toContain('Olivia Owner');
  });

  test('is rejected with 401 in a browser that has not begun it', async () => {
    const { visited } = await app.newBrowser().follow('/api/sign-in?hint=vera');
    const stranger = app.newBrowser();
    const response = await stranger.send(callbackOf(visited));
    expect(response.status).toBe(401);
    expect(stranger.cookies.size).toBe(0);
  });

  test('is rejected with 401 in a browser that has begun another one', async () => {
    const { visited } = await app.newBrowser().follow('/api/sign-in?hint=vera');
    const other = app.newBrowser();
    await other.send('/api/sign-in?hint=oskar');
    expect((await other.send(callbackOf(visited))).status).toBe(401);
    expect((await other.send('/api/session')).status).toBe(401);
  });

  test('is counted by its result, and its session while it is open', async () => {
    const count = async (result: string) =>
      Number(
        new RegExp(`console_sign_ins_total\\{method="oidc",result="${result}"\\} (\\d+)`).exec(
          await app.metrics(),
        )?.[1] ?? 0,
      );
    const before = [await count('succeeded'), await count('failed')] as const;
    await app.signIn('fiona');
    await app.newBrowser().send('/api/sign-in/callback?code=x&state=y');
    expect([await count('succeeded'), await count('failed')]).toEqual([
      before[0] + 1,
      before[1] + 1,
    ]);
    // The number of sessions is read in the background.
    await expect.poll(() => app.metrics()).toMatch(/^console_sessions \d+$/m);
  });

  test('ends once', async () => {
    const browser = app.newBrowser();
    const { visited } = await browser.follow('/api/sign-in?hint=vera');
    expect((await browser.send(callbackOf(visited))).status).toBe(401);
  });

  test.each(['state', 'code', 'iss'])('is rejected with 401 with another %s', async (parameter) => {
    const browser = app.newBrowser();
    let location = `${app.consoleUrl}/api/sign-in?hint=vera`;
    while (!location.includes('/callback')) {
      const response = await browser.send(location);
      location = new URL(response.headers.get('location') ?? '', location).href;
    }
    const url = new URL(location);
    url.searchParams.set(parameter, 'other');
    expect((await browser.send(url.href)).status).toBe(401);
    expect((await browser.send('/api/session')).status).toBe(401);
  });
});

describe('the session', () => {
  test('has another id after each sign-in, and the one before has ended', async () => {
    const browser = await app.signIn('vera');
    const [[name, before] = ['', '']] = [...browser.cookies];
    await browser.follow('/api/sign-in?hint=vera');
    expect(browser.cookies.get(name)).not.toBe(before);
    browser.cookies.set(name, before);
    expect((await browser.send('/api/session')).status).toBe(401);
  });

  test('does not take over an id that was placed in the browser', async () => {
    const browser = app.newBrowser();
    const name = `session_${new URL(app.consoleUrl).port}`;
    browser.cookies.set(name, 'an-id-that-an-attacker-knows');
    await browser.follow('/api/sign-in?hint=vera');
    const attacker = app.newBrowser();
    attacker.cookies.set(name, 'an-id-that-an-attacker-knows');
    expect((await browser.send('/api/session')).status).toBe(200);
    expect((await attacker.send('/api/session')).status).toBe(401);
  });

  test('is stored as a hash only', async () => {
    const browser = await app.signIn('vera');
    const [value = ''] = browser.cookies.values();
    const rows = await app.database.sql('select * from console.session');
    expect(JSON.stringify(rows)).not.toContain(value);
  });

  test.each([
    ['was idle', "seen_at = now() - interval '13 hours'"],
    ['was busy for a week', "expires_at = now() - interval '1 s'"],
  ])('is rejected with 401 when it %s', async (_, change) => {
    const browser = await app.signIn('dario');
    const { operator } = (await browser.send('/api/session')).json();
    await app.database.sql(`update console.session set ${change} where operator_id = $1`, [
      operator.id,
    ]);
    expect((await browser.send('/api/session')).status).toBe(401);
    expect((await browser.post('/api/sign-out')).status).toBe(401);
  });

  test('stays alive while it sends requests', async () => {
    const browser = await app.signIn('dario');
    const { operator } = (await browser.send('/api/session')).json();
    await app.database.sql(
      `update console.session set seen_at = now() - interval '11 hours' where operator_id = $1`,
      [operator.id],
    );
    expect((await browser.send('/api/session')).status).toBe(200);
    const rows = await app.database.sql(
      `select from console.session where operator_id = $1 and seen_at > now() - interval '1 min'`,
      [operator.id],
    );
    expect(rows).toHaveLength(1);
  });

  test('is not kept alive by what its page sends without a person', async () => {
    const browser = await app.signIn('dario');
    const { operator } = (await browser.send('/api/session')).json();
    const seen = () =>
      app.database.sql(
        `select from console.session where operator_id = $1 and seen_at > now() - interval '1 min'`,
        [operator.id],
      );
    await app.database.sql(
      `update console.session set seen_at = now() - interval '11 hours' where operator_id = $1`,
      [operator.id],
    );
    expect((await browser.send('/api/messages')).status).toBe(200);
    expect(await seen()).toHaveLength(0);
    expect((await browser.send('/api/session')).status).toBe(200);
    expect(await seen()).not.toHaveLength(0);
  });

  test('ends with a sign-out, and others of the operator go on', async () => {
    const [one, other] = [await app.signIn('fiona'), await app.signIn('fiona')];
    const kept = new Map(one.cookies);
    expect((await one.post('/api/sign-out')).status).toBe(200);
    expect(one.cookies.size).toBe(0);
    for (const [name, value] of kept) one.cookies.set(name, value);
    expect((await one.send('/api/session')).status).toBe(401);
    expect((await other.send('/api/session')).status).toBe(200);
  });

  test('ends with a sign-out everywhere in another browser', async () => {
    const [one, other] = [await app.signIn('fiona'), await app.signIn('fiona')];
    await one.post('/api/sign-out', { everywhere: true });
    expect((await other.send('/api/session')).status).toBe(401);
  });

  test('is listed with the other open ones of its operator, without the cookie', async () => {
    const [one, other] = [await app.signIn('fiona'), await app.signIn('fiona')];
    const response = await one.send('/api/sessions');
    const { sessions } = response.json();
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    for (const cookie of [...one.cookies.values(), ...other.cookies.values()]) {
      expect(response.text).not.toContain(cookie);
    }
    await other.post('/api/sign-out');
    expect((await one.send('/api/sessions')).json().sessions).toHaveLength(1);
  });

  test('names the cell of the console, and the address of the gateway', async () => {
    const own = await app.signIn('olivia');
    const inCell = await startTestConsole({ cell: 'eu2' });
    const session = (await (await inCell.signIn('olivia')).send('/api/session')).json();
    await inCell.close();
    const gatewayUrl = 'https://api.example.com';
    expect(session).toMatchObject({ cell: 'eu2', gatewayUrl });
    expect((await own.send('/api/session')).json()).toMatchObject({ cell: null, gatewayUrl });
  });

  test('lists the units of which the operator is a member, with the permissions of its role', async () => {
    const browser = await app.signIn('olivia');
    const [first, second] = [newUnit(), newUnit()];
    await app.join(browser, first, 'finance');
    await app.join(browser, second, 'viewer');
    const { units, expiresAt } = (await browser.send('/api/session')).json();
    expect(units).toMatchObject([
      { id: first, name: `Unit ${first}`, defaultCurrency: 'CHF', role: 'finance' },
      { id: second, role: 'viewer' },
    ]);
    expect(units[0].permissions).toContain('money');
    expect(units[1].permissions).not.toContain('money');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  });
});
