import type { SessionUnit } from '../api/session.ts';
import {
  type EventPageName,
  eventPages,
  paths,
  type UnitPageName,
  unitPages,
} from '../format/paths.ts';
import { eventsText } from '../text/events.ts';
import { shellText } from '../text/shell.ts';

/**
 * A page, with the permission without which it shows nothing. A page without one is for every role.
 */
export interface Page<Name = string> {
  name: Name;
  href: string;
  label: string;
  permission: string | undefined;
}

const eventPermissions: Partial<Record<EventPageName, string>> = {
  registrations: 'people.read',
  orders: 'orders.list',
  codes: 'codes',
  form: 'settings.read',
  settings: 'catalog.write',
};

const unitPermissions: Partial<Record<UnitPageName, string>> = {
  refunds: 'money',
  payments: 'money',
  taxes: 'settings.read',
  team: 'members',
  keys: 'keys',
  webhooks: 'webhooks',
  audit: 'audit',
  // What owners of a unit have beyond its pages.
  commands: 'members',
};

const pagesOfEvent = (unitId: string, eventId: string): Page<EventPageName>[] =>
  eventPages.map((name) => ({
    name,
    href: paths.eventPage(unitId, eventId, name),
    label: shellText.eventPages[name],
    permission: eventPermissions[name],
  }));

const pagesOfUnit = (unitId: string): Page<UnitPageName>[] =>
  unitPages.map((name) => ({
    name,
    href: paths[name](unitId),
    label: shellText[name],
    permission: unitPermissions[name],
  }));

/** Only the list of events leads to it. */
const newEvent = (unitId: string): Page => ({
  name: 'newEvent',
  href: paths.newEvent(unitId),
  label: eventsText.newTitle,
  permission: 'catalog.write',
});

const mayOpen = (unit: SessionUnit, { permission }: Page): boolean =>
  permission === undefined || unit.permissions.includes(permission);

/** The pages of an event that the role permits, in the order of the navigation. */
export const eventPagesFor = (unit: SessionUnit, eventId: string): Page<EventPageName>[] =>
  pagesOfEvent(unit.id, eventId).filter((page) => mayOpen(unit, page));

/** The pages of the unit that the role permits, in the order of the navigation. */
export const unitPagesFor = (unit: SessionUnit): Page<UnitPageName>[] =>
  pagesOfUnit(unit.id).filter((page) => mayOpen(unit, page));

/**
 * The page at an address if the role does not permit it, otherwise null. The pages of its records
 * belong to it.
 */
export function refusedPage(
  unit: SessionUnit,
  eventId: string | undefined,
  path: string,
): Page | null {
  const pages: Page[] = [
    newEvent(unit.id),
    ...pagesOfUnit(unit.id),
    ...(eventId ? pagesOfEvent(unit.id, eventId) : []),
  ];
  const page = pages.find(({ href }) => path === href || path.startsWith(`${href}/`));
  return page && !mayOpen(unit, page) ? page : null;
}
