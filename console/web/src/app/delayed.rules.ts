import { delayText } from '../text/delays.ts';

type Page = keyof typeof delayText.pages;

/** The services whose messages change what a page shows or what it leads to. */
const services: Record<Page, readonly string[]> = {
  events: ['catalog', 'registration'],
  overview: ['catalog', 'registration', 'commerce', 'onsite', 'changes'],
  tickets: ['catalog', 'registration'],
  registrations: ['registration', 'onsite'],
  orders: ['registration', 'commerce'],
  perks: ['catalog', 'registration', 'onsite'],
  doors: ['catalog', 'registration', 'onsite', 'changes'],
  exhibitors: ['registration', 'onsite'],
  settings: ['catalog', 'registration', 'commerce', 'onsite'],
  webhooks: ['catalog', 'registration', 'commerce', 'onsite', 'changes'],
  system: ['catalog', 'registration', 'commerce', 'onsite', 'changes'],
};

const addresses: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/^\/u\/[^/]+\/events\/new$/, () => 'newEvent'],
  [/^\/u\/[^/]+\/events\/[^/]+$/, () => 'overview'],
  [/^\/u\/[^/]+\/events\/[^/]+\/([^/]+)/, ([, page = '']) => page],
  [/^\/u\/[^/]+(?:\/events)?$/, () => 'events'],
  [/^\/u\/[^/]+\/([^/]+)/, ([, page = '']) => page],
  [/^\/platform\/([^/]+)/, ([, page = '']) => page],
];

function pageAt(path: string): Page | null {
  const address = path.replace(/\/$/, '');
  for (const [pattern, nameOf] of addresses) {
    const found = pattern.exec(address);
    const name = found && nameOf(found);
    if (name) return name in services ? (name as Page) : null;
  }
  return null;
}

/** Whether what the page at an address shows, or leads to, depends on messages. */
export const dependsOnMessages = (path: string): boolean => pageAt(path) !== null;

/**
 * What delayed messages of these services mean on the page at an address. Null if they do not
 * matter there.
 */
export function delayNote(path: string, delayed: readonly string[]): string | null {
  const page = pageAt(path);
  if (page === null || !services[page].some((name) => delayed.includes(name))) return null;
  return `${delayText.title} ${delayText.pages[page]} ${delayText.end}`;
}
