import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pairDevice } from '@event-api/contracts/operator/devices';
import { inviteOperator } from '@event-api/contracts/operator/members';
import { searchRegistrations } from '@event-api/contracts/operator/search';
import { freePort } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { launchBrowser } from '@event-api/platform/testing/browser';
import { createOperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { startPlatform } from '@event-api/tools/platform/platform';
import { seedDemo } from '@event-api/tools/seed/seed-demo';
import { seedOperators } from '@event-api/tools/seed/seed-operators';
import { createProgress } from '@event-api/tools/terminal/progress';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Operator, visitor } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';

const root = join(import.meta.dirname, '../..');
const usage = `usage: npm run screenshots -- [--docs]
Starts the demo platform and photographs every page of the console into .data/screenshots, at the width of a desktop and of a
phone, in light and dark. --docs writes the pictures of the README instead.`;

const appearances = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 390, height: 844 },
  { theme: 'dark', width: 390, height: 844 },
] as const;
type Appearance = (typeof appearances)[number];

type Demo = Awaited<ReturnType<typeof startDemo>>;

const event = '/u/$unitId/events/$eventId';

/** The pictures of the README: their file, route and look. */
const pictures: readonly [file: string, route: string, look: Appearance][] = [
  ['overview', event, appearances[0]],
  ['person', `${event}/registrations/$registrationId`, appearances[0]],
  ['order', `${event}/orders/$orderId`, appearances[1]],
];

/** Pages of records that the demo does not have. */
const withoutDemo = ['/u/$unitId/webhooks/$endpointId'];

/** Starts the platform of `npm start` on a data folder of its own, with the demo data. */
async function startDemo(dataDir: string, supervisor: ReturnType<typeof createSupervisor>) {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const port = await freePort();
  const platform = await startPlatform({
    settings: { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' },
    withConsole: true,
    supervisor,
    progress,
    onLine: (name, line) => progress.say(`${name} | ${line}`),
    signal: new AbortController().signal,
  });
  const { internalUrls, keys, redisUrl, console } = platform;
  const tokens = await openReadAfterStore(redisUrl);
  const privateJwk = keys.private.admin;
  const operator = await createOperatorClient({ internalUrls, privateJwk, tokens });
  const gatewayUrl = `http://127.0.0.1:${port}`;
  await seedDemo({ dataDir, operator, gatewayUrl, demoKey: undefined, progress });
  const consoleUrl = console?.consoleUrl ?? '';
  await seedOperators({ dataDir, operator, consoleUrl, progress });
  return { consoleUrl, gatewayUrl, operator, closeTokens: () => tokens.close() };
}

/** Signs in as the owner of the demo unit, who also becomes an administrator of the platform. */
async function signIn(
  context: BrowserContext,
  { consoleUrl, operator }: Pick<Demo, 'consoleUrl' | 'operator'>,
): Promise<Operator> {
  const page = await context.newPage();
  await page.goto(`${consoleUrl}/sign-in`);
  await page.getByRole('button', { name: /Olivia/ }).click();
  await page.waitForURL(`${consoleUrl}/u/**`);
  const { link } = await operator.call(inviteOperator, { platformAdmin: true });
  const accepted = await context.request.post(`${consoleUrl}/api/invitations/accept`, {
    data: { token: new URL(link).hash.slice(1) },
    headers: { origin: consoleUrl },
  });
  if (!accepted.ok()) throw new Error(`the invitation: ${await accepted.text()}`);
  await page.reload();
  return visitor(context, page);
}

/** The unit and the event of the demo, and a person of whom the doors and an order are known. */
async function findDemo(
  { page }: Operator,
  { operator }: Pick<Demo, 'operator'>,
): Promise<Record<string, string>> {
  const link = page.locator('main a[href*="/events/evt_"]').first();
  const [, , unitId = '', , eventId = ''] = ((await link.getAttribute('href')) ?? '').split('/');
  const scope = { businessUnitId: unitId, eventId };
  const found = await operator.call(searchRegistrations, { ...scope, query: 'kenji', limit: 1 });
  const registrationId = found.registrations[0]?.id;
  if (!registrationId) throw new Error('the demo has no Kenji');
  return { unitId, eventId, registrationId };
}

async function look(
  operator: Operator,
  { path }: ConsolePage,
  { theme, width, height }: Appearance,
) {
  const { page, visit } = operator;
  await page.setViewportSize({ width, height });
  await page.evaluate(
    `localStorage.setItem('theme', '${theme}'); document.documentElement.dataset.theme = '${theme}'`,
  );
  await visit(path);
  // A panel that opens gets the focus, whose frame is no part of a picture.
  await page.evaluate('document.activeElement?.blur()');
}

/** Compresses a photograph as WebP, which the browser can do. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const text = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85);
  })()`);
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
}

/**
 * Pairs a phone as a scanner of the event and checks a person in. The page shows the result for a
 * moment.
 */
async function scanBadge(
  browser: Browser,
  { gatewayUrl, operator }: Demo,
  { unitId = '', eventId = '' }: Record<string, string>,
): Promise<Page> {
  const scope = { businessUnitId: unitId, eventId };
  const { url } = await operator.call(pairDevice, {
    ...scope,
    name: 'North entrance',
    doors: [{ subjectType: 'event', subjectId: eventId }],
    showNames: true,
  });
  // The newest first. The demo has checked in the newest ones.
  const found = await operator.call(searchRegistrations, { ...scope, query: 'a', limit: 50 });
  const confirmed = found.registrations.filter(({ status }) => status === 'confirmed');
  const code = confirmed.at(-1)?.checkinCode ?? '';
  const phone = await browser.newContext({
    viewport: { width: 390, height: 700 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  });
  const page = await phone.newPage();
  await page.goto(`${gatewayUrl}/scanner/${new URL(url ?? '').hash}`);
  await page.getByLabel('Badge code').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.locator('.result').waitFor();
  return page;
}

async function photograph(browser: Browser, demo: Demo, isForDocs: boolean): Promise<void> {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });
  const operator = await signIn(context, demo);
  const isWanted = (route: string) =>
    isForDocs ? pictures.some((picture) => picture[1] === route) : !withoutDemo.includes(route);
  const ids = await findDemo(operator, demo);
  const pages = await pagesOf(operator, ids, isWanted);
  if (isForDocs) {
    const blank = await context.newPage();
    mkdirSync(join(root, 'docs/images'), { recursive: true });
    for (const [file, route, how] of pictures) {
      const page = pages.find((each) => each.route === route);
      if (!page) throw new Error(`the console has no page ${route}`);
      await look(operator, page, how);
      const webp = await toWebp(blank, await operator.page.screenshot());
      writeFileSync(join(root, `docs/images/console-${file}.webp`), webp);
    }
    const scanner = await scanBadge(browser, demo, ids);
    const webp = await toWebp(blank, await scanner.screenshot());
    writeFileSync(join(root, 'docs/images/scanner.webp'), webp);
    return;
  }
  const folder = join(root, '.data/screenshots');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const how of appearances) {
    for (const page of pages) {
      await look(operator, page, how);
      const name = page.route.replace('/u/$unitId', 'unit').replace(/[/$]+/g, '-');
      const path = join(folder, `${name}-${how.theme}-${how.width}.png`);
      await operator.page.screenshot({ path, fullPage: true });
      process.stdout.write(`${path}\n`);
    }
  }
}

const { values } = parseArgs({
  options: { docs: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const dataDir = mkdtempSync(join(tmpdir(), 'event-api-screenshots-'));
const supervisor = createSupervisor((line) => process.stderr.write(`${line}\n`));
let browser: Browser | undefined;
let exitCode = 0;
try {
  const demo = await startDemo(dataDir, supervisor);
  browser = await launchBrowser();
  await photograph(browser, demo, values.docs);
  demo.closeTokens();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  exitCode = 1;
} finally {
  await browser?.close();
  await supervisor.stopAll();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);
