import { inviteMember } from '@event-api/contracts/operator/members';
import { launchBrowser } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import type { BenchEnvironment } from './environment.ts';
import { buyers, createSeller, expectSuccess, sale, startBuyers } from './sale.ts';
import { describeVerdict, judgeMedian, type Verdict } from './verdicts.ts';

const people = 2000;
/** A verdict on a median needs six rounds. */
const minRounds = 8;

/** How long an operator waits, in seconds per round. */
export interface FirstUseFigures {
  /**
   * From the address of an overview, in a browser that has never opened the console, until all
   * figures are shown.
   */
  overview: Verdict;
  /** From Ctrl+K over the typed name and Enter until the page of the person is shown. */
  search: Verdict;
}

/**
 * Measures in Chromium how long an operator waits for the first page of the console and for a
 * person who is searched. Each round has a new browser profile, without files of the console.
 */
export async function benchFirstUse(
  environment: BenchEnvironment,
  { rounds }: { rounds: number },
): Promise<FirstUseFigures> {
  const event = await createEvent(environment);
  const browser = await launchBrowser();
  environment.onEnd(() => void browser.close());
  const overview: number[] = [];
  const search: number[] = [];
  // A first round is not counted; it fills the caches of the processes.
  for (let round = 0; round <= Math.max(rounds, minRounds); round++) {
    const page = await signIn(environment, browser, event.unitId);
    const openSeconds = await openOverview(
      page,
      `${environment.platform.console?.consoleUrl}${event.pagePath}`,
    );
    const searchSeconds = await findPerson(page, `Person ${(round * 7919) % people} End`);
    await page.context().close();
    environment.progress.say(
      `round ${round}: overview ${openSeconds.toFixed(2)} s, search ${searchSeconds.toFixed(2)} s`,
    );
    if (round === 0) continue;
    overview.push(openSeconds);
    search.push(searchSeconds);
  }
  const atMostOne = (name: string, seconds: readonly number[]) =>
    judgeMedian({ name, atMost: 1 }, { ratios: [...seconds], baseline: seconds.map(() => 1) });
  return {
    overview: atMostOne('console: seconds until the first page is complete', overview),
    search: atMostOne('console: seconds from Ctrl+K to the page of a person', search),
  };
}

/** Creates a published event with people. */
async function createEvent(
  environment: BenchEnvironment,
): Promise<{ unitId: string; pagePath: string }> {
  const { unitId, secret } = await createSeller(environment);
  const send = await startBuyers(environment, secret);
  const { path, typeId } = await sale(send, 2 * people);
  await expectSuccess(send, 'PATCH', path, { startsAt: '2030-05-10T09:00:00Z' });
  await expectSuccess(send, 'PATCH', path, { status: 'published' });
  let registered = 0;
  const register = async () => {
    for (let n = registered++; n < people; n = registered++) {
      const person = { name: `Person ${n} End`, email: `p${n}@example.com` };
      await expectSuccess(send, 'POST', `${path}/registrations`, {
        ...person,
        registrationTypeId: typeId,
      });
    }
  };
  await Promise.all(Array.from({ length: buyers }, register));
  return { unitId, pagePath: `/u/${unitId}${path.replace('/v1', '')}` };
}

/** Signs an owner in, in a new browser profile. */
async function signIn(
  { platform, operator }: BenchEnvironment,
  browser: Browser,
  businessUnitId: string,
): Promise<Page> {
  const { consoleUrl } = platform.console ?? {};
  const { link } = await operator.call(inviteMember, { businessUnitId, role: 'owner' });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { request } = context;
  await request.get(`${consoleUrl}/api/sign-in?hint=olivia`);
  const accepted = await request.post(`${consoleUrl}/api/invitations/accept`, {
    data: { token: new URL(link).hash.slice(1) },
    headers: { origin: String(consoleUrl) },
  });
  if (!accepted.ok()) throw new Error(`the invitation: ${await accepted.text()}`);
  return context.newPage();
}

/**
 * Seconds from the request for the page until its figures and its chart are shown, by the clock of
 * the page.
 */
async function openOverview(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  const visibleAt = await page.evaluate<number>(`new Promise((resolve) => {
    const figure = () => document.querySelector('[data-figure="Confirmed"]')?.textContent;
    const isComplete = () =>
      figure() === '${people.toLocaleString('en')}' && !document.querySelector('main .appears-late');
    const check = () => (isComplete() ? resolve(performance.now()) : requestAnimationFrame(check));
    check();
  })`);
  return visibleAt / 1000;
}

/** Seconds from Ctrl+K until the heading of the page of this person has the focus. */
async function findPerson(page: Page, name: string): Promise<number> {
  const startedAt = performance.now();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search and commands' });
  await box.fill(name);
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
  return (performance.now() - startedAt) / 1000;
}

export const describeFirstUse = ({ overview, search }: FirstUseFigures): string =>
  [`an event with ${people} people`, describeVerdict(overview), describeVerdict(search)].join('\n');
