import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let owner: Operator;
let page: Page;
let steps: Steps;
let path: string;
let eventPage: string;
let vipId: string;
let businessUnitId: string;
let scope: { businessUnitId: string; eventId: string };

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = owner.page;
  businessUnitId = unitId;
}, 600_000);
beforeEach(async () => {
  const { id } = await steps.create('/v1/events', {
    ...{ name: 'Fair', timezone: 'Europe/Berlin', startsAt: '2027-05-10T09:00:00+02:00' },
  });
  path = `/v1/events/${id}`;
  eventPage = `/u/${businessUnitId}/events/${id}`;
  scope = { businessUnitId, eventId: id };
  await steps.create(`${path}/ticket-types`, { name: 'Day' });
  vipId = (await steps.create(`${path}/ticket-types`, { name: 'VIP' })).id;
});
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const region = () => page.getByRole('region', { name: 'Refund policy' });
const rule = (number: number) =>
  region().getByRole('group', { name: `Rule ${number}`, exact: true });
const preview = () =>
  page.getByRole('region', { name: 'The policy as the buyer sees it' }).getByRole('listitem');

/** Moves the focus with the keyboard alone until it is on the element. */
async function tabTo(target: Locator): Promise<void> {
  for (let turn = 0; turn < 80; turn++) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error('the keyboard does not reach the element');
}

describe.each([
  ['a large screen', 1280],
  ['a phone', 390],
])('the rules of a refund policy on %s', (_, width) => {
  test('are entered with the keyboard alone, read in words, and are what integrators read', async () => {
    await page.setViewportSize({ width, height: 900 });
    await owner.visit(`${eventPage}/form`);
    await region().getByLabel('Text').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(`80 % until two weeks before (${width})`);
    await tabTo(region().getByRole('button', { name: 'Add a rule' }));
    await page.keyboard.press('Enter');
    const added =
      (await region()
        .getByRole('group', { name: /^Rule / })
        .count()) - 1;
    const first = rule(added + 1);
    await first.waitFor();
    await first.getByLabel('Number of days').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('21');
    await tabTo(first.getByLabel('Percent of the price'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('80');
    await tabTo(first.getByLabel('Fixed fee'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('5.00');
    await tabTo(first.getByRole('checkbox', { name: 'VIP' }));
    await page.keyboard.press('Space');
    const sentence = 'Until 21 days before the start, for VIP: 80 %, minus €5.00';
    await expect
      .poll(async () => (await preview().allTextContents()).slice(-2))
      .toEqual([sentence, 'Afterwards: nothing']);
    expect(await violationsOf(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await region().getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The refund policy is saved').first().waitFor();
    // The notice of an earlier save can still be there.
    const lastBand = async () => (await steps.get(`${path}/refund-policy`)).policy?.bands.at(-1);
    await expect.poll(lastBand, { timeout: 30_000 }).toEqual({
      ...{ daysBeforeStart: 21, until: null, percent: 80, fixedFee: 500 },
      ticketTypeIds: [vipId],
    });
  });
});

test('a rule that can never apply is refused at its field, and moving it helps', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const bands = [14, 5].map((daysBeforeStart) => ({ daysBeforeStart, percent: 50 }));
  await platform.operator.call(setRefundPolicy, { ...scope, text: 'Ask us', bands });
  await owner.visit(`${eventPage}/form`);
  await owner.click(region().getByRole('button', { name: 'Add a rule' }));
  const last = rule(3);
  await last.getByLabel('Number of days').fill('30');
  await owner.click(region().getByRole('button', { name: 'Save' }));
  const issue = region()
    .getByText(/never applies: bands 1 ends no earlier/)
    .last();
  await issue.waitFor();
  await owner.click(last.getByRole('button', { name: 'Move rule 3 up' }));
  await owner.click(rule(2).getByRole('button', { name: 'Move rule 2 up' }));
  await owner.click(region().getByRole('button', { name: 'Save' }));
  // The notice of an earlier save may still be there.
  const days = async () =>
    (await steps.get(`${path}/refund-policy`)).policy.bands.map(
      ({ daysBeforeStart }: { daysBeforeStart: number }) => daysBeforeStart,
    );
  await expect.poll(days).toEqual([30, 14, 5]);
  await page.getByText('The refund policy is saved').first().waitFor();
});
