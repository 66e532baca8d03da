import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Conference, createConference } from './console/conference.ts';
import { explorePage, type Outcome } from './console/explore.ts';
import { type Operator, signInAs } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';
import { differencesOf } from './console/stored.ts';
import { watchWrites } from './console/watch-writes.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let conference: Conference;
/** The commands that change nothing, and the others. */
let reads: Set<string>;
let changing: Set<string>;
/** The commands that the tests of this file have run. */
const ran = new Set<string>();

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  conference = await createConference(platform);
  operator = await signInAs(platform, browser, { unitId: conference.unitId, role: 'owner' });
  // Leaving a page with unsaved text asks first.
  operator.page.on('dialog', (dialog) => void dialog.accept());
  const response = await operator.page.request.get(`${platform.consoleUrl}/api/commands`);
  const { commands }: { commands: { operationId: string; isRead: boolean }[] } =
    await response.json();
  reads = new Set(commands.flatMap(({ isRead, operationId }) => (isRead ? operationId : [])));
  changing = new Set(commands.flatMap(({ isRead, operationId }) => (isRead ? [] : operationId)));
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

/** What changes nothing of the platform, or ends the session of this test, by page. */
const leftOut: readonly [route: RegExp, control: RegExp][] = [
  [/./, /^(Copy|Sign out|Views|Columns|Move .*|All #|Open as a full page)\b/],
  // Its own right to administer the platform.
  [/administrators$/, /^Remove Olivia/],
  // Each row of the audit log opens its entry.
  [/audit$/, /^(?!Export CSV)/],
  // A page of the payment provider.
  [/payments$/, /^(Set up an account|Go on at the provider)/],
  // These forms only read.
  [/(\$operationId|perks)$/, /^form/],
];

/** What a rule may refuse, although the form is valid, with the words on the page. */
const refusals: Record<string, RegExp> = {
  'More actions › Change the ticket of # people': /costs more than what was paid|sends nothing/,
  // No other ticket costs as little.
  'More actions › Change the ticket': /Enter a value|sends nothing/,
  // One of each is a ticket that requires approval, and others that cost something.
  'New order': /requires approval, so only an order without cost/,
  // An endpoint is pending until its first answer.
  Enable: /lacks status "enabled"/,
  'Actions for … › Remove from the team': /LAST_OWNER|needs one owner/,
};

/** Records come before their lists, which act on all of them, and what ends an event comes last. */
const ranks = [/\$\w+Id$/, /(?<!settings|team)$/];
const rankOf = ({ route }: ConsolePage): number =>
  ranks.findIndex((each) => each.test(route)) >>> 0;

/** A record alone, without the list beside it. */
const addressOf = ({ route, path }: ConsolePage): string =>
  platform.consoleUrl + path + (/\$\w+Id$/.test(route) ? '?full=1' : '');

function explore(page: ConsolePage, isLeftOut: (name: string) => boolean = () => false) {
  const traffic = watchWrites(operator.page, reads);
  const patterns = leftOut.flatMap(([route, control]) => (route.test(page.route) ? control : []));
  const outcomes = explorePage(
    operator.page,
    traffic,
    async () => addressOf(page),
    (name) => isLeftOut(name) || patterns.some((pattern) => pattern.test(name)),
    (write) => (write.status < 300 ? differencesOf(write, access()) : Promise.resolve([])),
  );
  return outcomes.finally(() => traffic.stop());
}

const access = () => ({
  api: operator.page.request,
  origin: platform.consoleUrl,
  unitUrl: `${platform.consoleUrl}/api/units/${conference.unitId}`,
});

function problemsOf({ name, problems }: Outcome): string[] {
  const refusal = refusals[name];
  return problems.filter((each) => !refusal?.test(each));
}

test('a form whose request is refused is found', async () => {
  const { page } = operator;
  const { unitId, steps } = conference;
  const { id } = await steps.create('/v1/events', { name: 'Matinee', timezone: 'Europe/Berlin' });
  await page.route(/\/bundles\/\w+$/, (route) =>
    route.request().method() === 'PATCH'
      ? route.continue({ postData: JSON.stringify({ state: 'open' }) })
      : route.continue(),
  );
  await steps.create(`/v1/events/${id}/ticket-types`, { name: 'Seat' });
  const outcomes = await explore(
    { route: 'tickets', path: `/u/${unitId}/events/${id}/tickets` },
    (name) => name !== 'Add a bundle',
  );
  await page.unroute(/\/bundles\/\w+$/);
  expect(outcomes.map(({ problems }) => problems)).toEqual([
    [expect.stringContaining('PATCH /events/:id/bundles/:id 400'), expect.any(String)],
  ]);
});

test('every form and every action of every page is accepted, and its record is stored', async () => {
  const { unitId, eventId, orderId, pendingId } = conference;
  const all = [
    ...(await pagesOf(operator, { unitId, eventId, orderId, registrationId: pendingId })),
    ...['codes?view=batches', 'program?view=speakers', 'program?view=rooms'].map((view) => ({
      route: view,
      path: `/u/${unitId}/events/${eventId}/${view}`,
    })),
  ];
  const found: Record<string, string[]> = {};
  for (const page of all.toSorted((left, right) => rankOf(left) - rankOf(right))) {
    const outcomes = await explore(page);
    for (const outcome of outcomes) {
      for (const { operation } of outcome.writes) ran.add(operation);
      const problems = problemsOf(outcome);
      if (problems.length > 0) found[`${page.route}: ${outcome.name}`] = problems;
    }
  }
  expect(found).toEqual({});
}, 1_200_000);

/** Commands whose controls need a state that no page of this test has; other tests use them. */
const usedElsewhere = [
  'code.disableBatch',
  'exhibitor.addMember',
  'operator.removeAdmin',
  'paymentAccount.connect',
  'perk.bind',
  'perk.unbind',
  'refund.withdraw',
  'registration.confirm',
  'session.delete',
  'speaker.delete',
  'venue.delete',
];

test('no command of the pages is left out', () => {
  const source = join(import.meta.dirname, '../../console/web/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const named = files
    .filter((each) => /^pages.*(?<!test)\.tsx?$/.test(each))
    .flatMap(
      (each) =>
        readFileSync(join(source, each), 'utf8').match(/(?<=')[a-zA-Z]+\.[a-zA-Z]+(?=')/g) ?? [],
    );
  const used = new Set(named.filter((name) => changing.has(name)));
  expect(used.size).toBeGreaterThan(30);
  expect([...used].filter((name) => !ran.has(name)).toSorted()).toEqual(usedElsewhere);
});
