import { expect, test } from 'vitest';
import { delayText } from '../text/delays.ts';
import { delayNote, dependsOnMessages } from './delayed.rules.ts';

const all = ['catalog', 'registration', 'commerce', 'onsite', 'changes'];
const event = '/u/unit_1/events/evt_1';

test.each<[string, keyof typeof delayText.pages]>([
  ['/u/unit_1', 'events'],
  ['/u/unit_1/events', 'events'],
  ['/u/unit_1/events/', 'events'],
  [event, 'overview'],
  [`${event}/`, 'overview'],
  [`${event}/tickets`, 'tickets'],
  [`${event}/registrations`, 'registrations'],
  [`${event}/registrations/reg_1`, 'registrations'],
  [`${event}/orders/ord_1`, 'orders'],
  [`${event}/perks`, 'perks'],
  [`${event}/doors`, 'doors'],
  [`${event}/exhibitors/exh_1`, 'exhibitors'],
  [`${event}/settings`, 'settings'],
  ['/u/unit_1/webhooks/whe_1', 'webhooks'],
  ['/platform/system', 'system'],
])('on %s delayed messages mean what concerns %s', (path, page) => {
  expect(delayNote(path, all)).toContain(delayText.pages[page]);
  expect(delayNote(path, [])).toBeNull();
  expect(dependsOnMessages(path)).toBe(true);
});

test.each([
  '/',
  '/account',
  '/platform',
  '/u/unit_1/team',
  '/u/unit_1/audit',
  '/u/unit_1/events/new',
  `${event}/program`,
  `${event}/form`,
])('on %s delayed messages mean nothing', (path) => {
  expect(delayNote(path, all)).toBeNull();
  expect(dependsOnMessages(path)).toBe(false);
});

test('only the services of a page matter on it', () => {
  expect(delayNote(`${event}/orders`, ['commerce'])).not.toBeNull();
  expect(delayNote(`${event}/orders`, ['onsite'])).toBeNull();
});
