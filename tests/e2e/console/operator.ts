import { inviteMember, inviteOperator } from '@event-api/contracts/operator/members';
import type { Role } from '@event-api/contracts/permissions';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { PlatformFixture } from '../fixtures/platform.ts';

/** A person who uses the console in a browser of their own. */
export interface Operator {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, and messages about blocked content. */
  failures: string[];
  /** Calls the function `visit` with the page of the operator. */
  visit(path: string): Promise<void>;
  /** Clicks, and counts. */
  click(target: Locator): Promise<void>;
  clicks(): number;
}

/** The demo operators, one for each role. */
export const subjects: Record<Role, string> = {
  owner: 'olivia',
  organizer: 'oskar',
  finance: 'fiona',
  door: 'dario',
  viewer: 'vera',
};

/**
 * Makes a demo operator a member of the unit, and an owner an administrator of the platform, and
 * signs in.
 */
export async function signInAs(
  { operator, consoleUrl }: Pick<PlatformFixture, 'operator' | 'consoleUrl'>,
  browser: Browser,
  {
    unitId,
    role,
    viewport,
  }: { unitId: string; role: Role; viewport?: { width: number; height: number } },
): Promise<Operator> {
  const input = { businessUnitId: unitId, role };
  const { link } =
    role === 'owner'
      ? await operator.call(inviteOperator, { ...input, platformAdmin: true })
      : await operator.call(inviteMember, input);
  const context = await browser.newContext({ viewport: viewport ?? { width: 1440, height: 900 } });
  // With the cookies of the browser, but without its pages, which would load the application three
  // times.
  const { request } = context;
  await request.get(`${consoleUrl}/api/sign-in?hint=${subjects[role]}`);
  const accepted = await request.post(`${consoleUrl}/api/invitations/accept`, {
    data: { token: new URL(link).hash.slice(1) },
    headers: { origin: consoleUrl },
  });
  if (!accepted.ok()) throw new Error(`the invitation: ${await accepted.text()}`);
  const page = await context.newPage();
  await page.goto(`${consoleUrl}/u/${unitId}`);
  return visitor(context, page);
}

/** What an operator who is signed in does in the console. */
export function visitor(context: BrowserContext, page: Page): Operator {
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.message}`));
  let clicks = 0;
  return {
    context,
    page,
    failures,
    visit: (path) => visit(page, path),
    async click(target) {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

/**
 * Opens a page of the console as a link does, without loading the application again, and waits
 * until it is complete.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
  await waitUntilComplete(page);
}

/** Waits for the heading and the records of a page. */
export async function waitUntilComplete(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Gray bars stand for what is not read yet.
  await page.locator('main .appears-late').first().waitFor({ state: 'detached' });
}
