import { createContext, useContext } from 'react';
import { viewerZone } from '../format/time.ts';
import type { Event } from './records.ts';
import type { SessionUnit } from './session.ts';

const UnitContext = createContext<SessionUnit | null>(null);
export const UnitProvider = UnitContext.Provider;

/** The business unit of the page. Errors: the page belongs to no unit. */
export function useUnit(): SessionUnit {
  const unit = useContext(UnitContext);
  if (!unit) throw new Error('this page has no business unit');
  return unit;
}

/** The business unit of the page; null on the pages of the platform. */
export const useOptionalUnit = (): SessionUnit | null => useContext(UnitContext);

/**
 * Whether the operator's role permits this in the unit. The server decides; this only hides what it
 * would reject.
 */
export const usePermission = (permission: string): boolean =>
  useContext(UnitContext)?.permissions.includes(permission) ?? false;

/**
 * Whether pages show emails of people and their answers to the form. What a search finds has
 * neither for an operator of doors, so lists, files and pages leave them out, too.
 */
export const useMayReadEmails = (): boolean => usePermission('orders.list');

const EventContext = createContext<Event | null>(null);
export const EventProvider = EventContext.Provider;

/** The event of the page. Errors: the page belongs to no event. */
export function useEvent(): Event {
  const event = useContext(EventContext);
  if (!event) throw new Error('this page has no event');
  return event;
}

export const useOptionalEvent = (): Event | null => useContext(EventContext);

const UnitZoneContext = createContext<string | null>(null);
export const UnitZoneProvider = UnitZoneContext.Provider;

/**
 * The zone of all times of a page: that of its event. On a page of the unit, the one that the
 * events of the unit share; otherwise that of the person who looks at it.
 */
export function useZone(): string {
  const event = useContext(EventContext);
  const ofUnit = useContext(UnitZoneContext);
  return event?.timezone ?? ofUnit ?? viewerZone();
}
