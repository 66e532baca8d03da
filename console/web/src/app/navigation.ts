import {
  Activity,
  Building2,
  CalendarDays,
  ClipboardList,
  CreditCard,
  DoorOpen,
  Gift,
  KeyRound,
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  Percent,
  Receipt,
  RotateCcw,
  ScrollText,
  Settings,
  ShieldUser,
  Store,
  Terminal,
  Ticket,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import type { Session, SessionUnit } from '../api/session.ts';
import { type EventPageName, paths, type UnitPageName } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';
import { eventPagesFor, unitPagesFor } from './navigation-rules.ts';

export interface NavigationItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

const eventIcons: Record<EventPageName, LucideIcon> = {
  tickets: Ticket,
  registrations: Users,
  orders: Receipt,
  codes: Percent,
  perks: Gift,
  doors: DoorOpen,
  program: CalendarDays,
  exhibitors: Store,
  form: ClipboardList,
  settings: Settings,
};

const unitIcons: Record<UnitPageName, LucideIcon> = {
  refunds: RotateCcw,
  payments: CreditCard,
  taxes: Landmark,
  team: UserCog,
  keys: KeyRound,
  webhooks: Webhook,
  audit: ScrollText,
  commands: Terminal,
};

export function eventItems(unit: SessionUnit, eventId: string): NavigationItem[] {
  const overview = {
    href: paths.event(unit.id, eventId),
    label: shellText.overview,
    icon: LayoutDashboard,
  };
  const pages = eventPagesFor(unit, eventId);
  return [overview, ...pages.map((page) => ({ ...page, icon: eventIcons[page.name] }))];
}

const unitPageItems = (unit: SessionUnit) =>
  unitPagesFor(unit).map((page) => ({ ...page, icon: unitIcons[page.name] }));

export const unitItems = (unit: SessionUnit): NavigationItem[] =>
  unitPageItems(unit).filter(({ name }) => name !== 'commands');

/**
 * The page of all commands, which the account menu has: it is for what no other page can do. Null
 * for operators who may not open it.
 */
export const commandsItem = (session: Session, unit: SessionUnit | null): NavigationItem | null =>
  unit
    ? (unitPageItems(unit).find(({ name }) => name === 'commands') ?? null)
    : session.operator.platformAdmin
      ? {
          href: paths.platformPage('commands'),
          label: shellText.platformPages.commands,
          icon: Terminal,
        }
      : null;

export const eventsItem = (unit: SessionUnit): NavigationItem => ({
  href: paths.events(unit.id),
  label: shellText.events,
  icon: Megaphone,
});

export const platformItem: NavigationItem = {
  href: paths.platform(),
  label: shellText.platform,
  icon: Building2,
};

/** The pages of the platform, for its administrators. */
export const platformItems: NavigationItem[] = [
  { href: paths.platform(), label: shellText.platformPages.units, icon: Building2 },
  {
    href: paths.platformPage('administrators'),
    label: shellText.platformPages.administrators,
    icon: ShieldUser,
  },
  {
    href: paths.platformPage('system'),
    label: shellText.platformPages.system,
    icon: Activity,
  },
];
