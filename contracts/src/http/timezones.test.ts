import { expect, test } from 'vitest';
import { timezoneNames } from './timezone-names.ts';
import { timezoneName } from './timezones.ts';

test('lists only names that the runtime supports', () => {
  expect(timezoneNames.length).toBeGreaterThan(590);
  for (const timeZone of timezoneNames) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone).not.toThrow();
  }
});

test('lists every zone of the runtime, in the spelling of IANA', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(timezoneName(zone)).toBe(zone);
});

test.each([
  'UTC',
  'Etc/UTC',
  'EST',
  'CET',
  'GMT+0',
  'PST8PDT',
  'US/Pacific',
  'Europe/Kiev',
  'Europe/Kyiv',
  'Asia/Calcutta',
  'America/Argentina/Ushuaia',
])('keeps %s and corrects only its case', (name) => {
  for (const input of [name, name.toLowerCase(), name.toUpperCase()]) {
    expect(timezoneName(input)).toBe(name);
  }
});

test.each(['BST', 'IST', 'CST', 'AST', 'PST', 'SystemV/PST8PDT', 'CEST', 'Factory', 'Etc/Unknown'])(
  'does not know %s, which is not an IANA name',
  (name) => {
    expect(timezoneName(name)).toBeNull();
  },
);

test.each(['+02:00', '-08', '+0530', 'UTC+2', 'GMT-3', '', ' UTC', 'Local', 'toString'])(
  'does not know %j, which is not a zone',
  (name) => {
    expect(timezoneName(name)).toBeNull();
  },
);
