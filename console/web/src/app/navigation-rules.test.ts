import { permissionsOfRole, type Role } from '@event-api/contracts/permissions';
import { describe, expect, test } from 'vitest';
import { eventPagesFor, refusedPage, unitPagesFor } from './navigation-rules.ts';

const unitOf = (role: Role) => ({
  id: 'bu_1',
  name: 'Acme',
  defaultCurrency: 'EUR',
  role,
  permissions: permissionsOfRole(role),
});

const ofUnit = ['refunds', 'payments', 'taxes', 'team', 'keys', 'webhooks', 'audit', 'commands'];
const withoutTaxes = ofUnit.filter((page) => page !== 'taxes');
const ofEvent = [
  'tickets',
  'registrations',
  'orders',
  'codes',
  'perks',
  'doors',
  'program',
  'exhibitors',
  'form',
  'settings',
];

describe('the pages of a role', () => {
  test.each<[Role, string[]]>([
    ['owner', []],
    ['organizer', withoutTaxes],
    ['finance', ['events/new', ...withoutTaxes.slice(2), 'codes', 'settings']],
    ['door', ['events/new', ...ofUnit, 'orders', 'codes', 'form', 'settings']],
    ['viewer', ['events/new', ...withoutTaxes, 'codes', 'settings']],
  ])(
    'of %s are refused by their address exactly if the navigation does not have them',
    (role, refused) => {
      const unit = unitOf(role);
      const addresses = {
        'events/new': '/u/bu_1/events/new',
        ...Object.fromEntries(ofUnit.map((name) => [name, `/u/bu_1/${name}`])),
        ...Object.fromEntries(ofEvent.map((name) => [name, `/u/bu_1/events/evt_1/${name}`])),
      };
      const isRefused = (path: string) => refusedPage(unit, 'evt_1', path) !== null;
      const found = Object.entries(addresses).filter(([, path]) => isRefused(path));
      expect(found.map(([name]) => name)).toEqual(refused);
      const visible = [...unitPagesFor(unit), ...eventPagesFor(unit, 'evt_1')].map(
        ({ name }) => name,
      );
      expect(visible).toEqual([...ofUnit, ...ofEvent].filter((name) => !refused.includes(name)));
    },
  );
});

describe('refusedPage', () => {
  test.each([
    ['a record of a refused page', '/u/bu_1/events/evt_1/orders/ord_1', 'Orders'],
    [
      'a page whose name only begins like that of a refused one',
      '/u/bu_1/events/evt_1/orders2',
      undefined,
    ],
    ['the page of another event', '/u/bu_1/events/evt_2/orders', undefined],
    ['the overview', '/u/bu_1/events/evt_1', undefined],
    ['the events', '/u/bu_1/events', undefined],
    ['a page of the unit', '/u/bu_1/keys', 'API keys'],
  ])('of %s', (_, path, title) => {
    expect(refusedPage(unitOf('door'), 'evt_1', path)?.label).toBe(title);
  });
});
