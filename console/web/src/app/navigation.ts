import {
  Activity,
  Building2,
  CalendarDays,
  ClipboardList,
  DoorOpen,
  Gift,
  KeyRound,
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
import type { SessionUnit } from '../api/session.ts';
import { type EventPageName, eventPages, paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';

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

/** The permission without which a page of an event shows nothing. */
const eventPermissions: Partial<Record<EventPageName, string>> = {
  registrations: 'people.read',
  orders: 'orders.list',
  codes: 'codes',
  form: 'settings.read',
  settings: 'catalog.write',
};

export function eventItems(unit: SessionUnit, eventId: string): NavigationItem[] {
  const overview = {
    href: paths.event(unit.id, eventId),
    label: shellText.overview,
    icon: LayoutDashboard,
  };
  const pages = eventPages
    .filter((page) => mayOpen(unit, eventPermissions[page]))
    .map((page) => ({
      href: paths.eventPage(unit.id, eventId, page),
      label: shellText.eventPages[page],
      icon: eventIcons[page],
    }));
  return [overview, ...pages];
}

const mayOpen = (unit: SessionUnit, permission: string | undefined): boolean =>
  permission === undefined || unit.permissions.includes(permission);

export function unitItems(unit: SessionUnit): NavigationItem[] {
  const { id } = unit;
  const items: (NavigationItem & { permission?: string })[] = [
    { href: paths.refunds(id), label: shellText.refunds, icon: RotateCcw, permission: 'money' },
    { href: paths.team(id), label: shellText.team, icon: UserCog, permission: 'members' },
    { href: paths.keys(id), label: shellText.keys, icon: KeyRound, permission: 'keys' },
    { href: paths.webhooks(id), label: shellText.webhooks, icon: Webhook, permission: 'webhooks' },
    { href: paths.audit(id), label: shellText.audit, icon: ScrollText, permission: 'audit' },
    { href: paths.commands(id), label: shellText.commands, icon: Terminal },
  ];
  return items.filter(({ permission }) => mayOpen(unit, permission));
}

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
  {
    href: paths.platformPage('commands'),
    label: shellText.platformPages.commands,
    icon: Terminal,
  },
];
