import { expect, it } from 'vitest';
import { canonicalTimezone } from './timezones.ts';

const zones = Intl.supportedValuesOf('timeZone');

it('knows every zone of the runtime, and keeps a canonical name as it is', () => {
  expect(zones.length).toBeGreaterThan(400);
  for (const zone of zones) {
    const canonical = canonicalTimezone(zone);
    expect(canonical, zone).not.toBeNull();
    expect(canonicalTimezone(canonical ?? ''), zone).toBe(canonical);
  }
});

it('means the same time by the canonical name as by the one that was given', () => {
  const shown = (timeZone: string, month: number) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(
      Date.UTC(2027, month, 1),
    );
  const renamed = zones.filter((zone) => canonicalTimezone(zone) !== zone);
  expect(renamed.length).toBeGreaterThan(5);
  for (const zone of renamed) {
    const canonical = canonicalTimezone(zone) ?? '';
    expect([shown(canonical, 0), shown(canonical, 6)], zone).toEqual([
      shown(zone, 0),
      shown(zone, 6),
    ]);
  }
});

it.each(['BST', 'IST', 'CST', 'cst', 'AST', 'PST', 'SystemV/PST8PDT'])(
  'takes the abbreviation %s of several zones for none',
  (name) => {
    expect(canonicalTimezone(name)).toBeNull();
  },
);

it.each(['+02:00', '-08', '+0530', 'UTC+2', 'GMT-3', '', ' UTC', 'Local', 'Etc/Unknown'])(
  'takes %j for no zone',
  (name) => {
    expect(canonicalTimezone(name)).toBeNull();
  },
);
