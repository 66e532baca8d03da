import { useRouterState } from '@tanstack/react-router';
import { Monitor, Moon, MoreHorizontal, Search as SearchIcon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Event } from '../api/records.ts';
import type { Session, SessionUnit } from '../api/session.ts';
import { classes } from '../components/ui/classes.ts';
import { Dialog } from '../components/ui/dialog.tsx';
import { Link } from '../components/ui/link.tsx';
import { emptySearch, OpenSearchContext, type SearchStart } from '../components/ui/open-search.ts';
import { useIsPhone } from '../components/ui/use-media.ts';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { DelayedBanner } from './delayed-banner.tsx';
import {
  commandsItem,
  eventItems,
  eventsItem,
  type NavigationItem,
  platformItem,
  platformItems,
  unitItems,
} from './navigation.ts';
import { loadPalette, Search } from './search.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { type Theme, useTheme } from './theme.ts';
import { UnavailableBanner } from './unavailable-banner.tsx';
import { UnitSwitcher } from './unit-switcher.tsx';

export interface ShellProps {
  session: Session;
  unit: SessionUnit | null;
  event: Event | null;
  children: ReactNode;
}

/** The frame of every page: navigation, breadcrumb, search, and the page. */
export function Shell({ session, unit, event, children }: ShellProps) {
  const [search, setSearch] = useState<SearchStart | null>(null);
  const isPhone = useIsPhone();
  const scope = { session, unit, event };
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shellText.skip}
      </a>
      {!isPhone && <Sidebar {...scope} />}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-14 items-center gap-3 border-b border-line bg-surface px-4">
          <Breadcrumb {...scope} />
          <button
            type="button"
            onPointerEnter={() => void loadPalette().catch(() => {})}
            onClick={() => setSearch(emptySearch)}
            className="ml-auto flex min-h-8 shrink-0 items-center gap-2 whitespace-nowrap rounded-md border border-edge/60 px-2.5 text-muted hover:bg-hover touch:min-h-11"
          >
            <SearchIcon aria-hidden className="size-4" />
            <span className="max-lg:sr-only">{shellText.openPalette}</span>
            <kbd aria-hidden className="rounded-sm bg-subtle px-1 text-xs max-md:hidden">
              {shellText.paletteKeys}
            </kbd>
          </button>
          <AccountMenu session={session} unit={unit} />
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1440px] flex-1 px-4 py-5 outline-none max-md:pb-24 md:px-6"
        >
          <UnavailableBanner />
          <DelayedBanner />
          <OpenSearchContext value={setSearch}>{children}</OpenSearchContext>
        </main>
      </div>
      {isPhone && <BottomBar {...scope} />}
      <Search start={search} onStart={setSearch} {...scope} />
      <Shortcuts unit={unit} event={event} />
    </div>
  );
}

type Scope = Omit<ShellProps, 'children'>;

function Sidebar({ session, unit, event }: Scope) {
  return (
    <nav
      aria-label={shellText.navigation}
      className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line bg-page px-3 py-3"
    >
      <UnitSwitcher session={session} unit={unit} />
      <Sections session={session} unit={unit} event={event} />
      <ThemeSwitch />
    </nav>
  );
}

function Sections({ session, unit, event }: Scope) {
  return (
    <>
      {unit && <Items items={[eventsItem(unit)]} isExact={event !== null} />}
      {unit && event && <Items title={event.name} items={eventItems(unit, event.id)} />}
      {unit && (
        <Items title={shellText.inCell(shellText.unit, session.cell)} items={unitItems(unit)} />
      )}
      {session.operator.platformAdmin &&
        (unit ? (
          <Items items={[platformItem]} />
        ) : (
          <Items
            title={shellText.inCell(shellText.platform, session.cell)}
            items={platformItems}
            isExact
          />
        ))}
    </>
  );
}

function Items({
  title,
  items,
  isExact = false,
}: {
  title?: string;
  items: readonly NavigationItem[];
  /** Whether pages below an item belong to other items. */
  isExact?: boolean;
}) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // The page with the longest matching address is the present one.
  const current = items
    .filter(({ href }) => path === href || (!isExact && path.startsWith(`${href}/`)))
    .toSorted((one, other) => other.href.length - one.href.length)[0];
  return (
    <div>
      {title && <p className="mb-1 truncate px-2 text-xs font-medium text-muted">{title}</p>}
      <ul className="flex flex-col gap-0.5">
        {items.map((item) => (
          <li key={item.href}>
            <Link
              href={item.href}
              aria-current={item === current ? 'page' : undefined}
              className={classes(
                'flex min-h-8 items-center gap-2 rounded-md px-2 touch:min-h-11',
                item === current ? 'bg-accent-soft font-medium text-accent-ink' : 'hover:bg-hover',
              )}
            >
              <item.icon aria-hidden className="size-4 shrink-0" />
              {item.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className="mt-auto flex gap-1" aria-label={shellText.theme}>
      {(Object.keys(themeIcons) as Theme[]).map((each) => {
        const Icon = themeIcons[each];
        return (
          <button
            key={each}
            type="button"
            aria-pressed={theme === each}
            aria-label={shellText.themes[each]}
            title={shellText.themes[each]}
            onClick={() => setTheme(each)}
            className={classes(
              'flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover touch:size-11',
              theme === each && 'bg-hover text-ink',
            )}
          >
            <Icon aria-hidden className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}

/** At most three parts: the unit, the event, the page. */
function Breadcrumb({ session, unit, event }: Scope) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const commands = unit && commandsItem(session, unit);
  const pages = unit
    ? [
        ...(event ? eventItems(unit, event.id) : []),
        ...unitItems(unit),
        ...(commands ? [commands] : []),
      ]
    : [];
  const page = pages
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .toSorted((one, other) => other.href.length - one.href.length)[0];
  const parts = [
    unit && { label: unit.name, href: paths.events(unit.id) },
    unit && event && { label: event.name, href: paths.event(unit.id, event.id) },
    page && page.label !== shellText.overview ? page : null,
    !unit &&
      !path.startsWith(paths.account()) && { label: shellText.platform, href: paths.platform() },
    !unit &&
      path.startsWith(paths.account()) && { label: shellText.account, href: paths.account() },
  ].filter((part) => !!part);
  return (
    <nav aria-label={shellText.breadcrumb} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5">
        {parts.map(({ label, href }, index) => (
          <li
            key={href}
            className={classes(
              'flex min-w-0 items-center gap-1.5',
              index < parts.length - 1 && 'max-md:hidden',
            )}
          >
            {index > 0 && (
              <span aria-hidden className="text-muted max-md:hidden">
                /
              </span>
            )}
            <Link
              href={href}
              className={classes(
                'truncate rounded-sm hover:underline touch:leading-11',
                index === parts.length - 1 ? 'font-medium' : 'text-muted',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The pages that matter on a phone. All others are behind the last button. */
function bottomItems({ session, unit, event }: Scope): NavigationItem[] {
  if (!unit) return session.operator.platformAdmin ? platformItems : [];
  if (!event) return [eventsItem(unit)];
  const visible = [
    paths.event(unit.id, event.id),
    paths.eventPage(unit.id, event.id, 'registrations'),
    paths.eventPage(unit.id, event.id, 'doors'),
  ];
  return eventItems(unit, event.id).filter(({ href }) => visible.includes(href));
}

function BottomBar({ session, unit, event }: Scope) {
  const [isMoreOpen, setMoreOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isAt, setAt] = useState(path);
  if (isAt !== path) {
    setAt(path);
    setMoreOpen(false);
  }
  const items = bottomItems({ session, unit, event });
  const cell = 'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs';
  return (
    <nav
      aria-label={shellText.navigation}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      {items.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          aria-current={path === item.href ? 'page' : undefined}
          className={classes(cell, path === item.href ? 'text-accent-ink' : 'text-muted')}
        >
          <item.icon aria-hidden className="size-5" />
          {item.label === shellText.eventPages.registrations ? shellText.people : item.label}
        </Link>
      ))}
      <button
        type="button"
        className={classes(cell, 'text-muted')}
        onClick={() => setMoreOpen(true)}
      >
        <MoreHorizontal aria-hidden className="size-5" />
        {shellText.more}
      </button>
      <Dialog isOpen={isMoreOpen} onClose={() => setMoreOpen(false)} title={shellText.more}>
        <div className="flex flex-col gap-4">
          <UnitSwitcher session={session} unit={unit} />
          <Sections session={session} unit={unit} event={event} />
          <ThemeSwitch />
        </div>
      </Dialog>
    </nav>
  );
}
