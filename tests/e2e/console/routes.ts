import type { Operator } from './operator.ts';

/**
 * Addresses outside of the frame of the application, which need no session. The last one closes its
 * window.
 */
export const outside = ['/', '/sign-in', '/invitation', '/signed-in'];

/** A page of the console: its route, such as `/u/$unitId/keys`, and an address of it. */
export interface ConsolePage {
  route: string;
  path: string;
}

/**
 * Every page of the running application, from its own route table, so that a new page is never
 * forgotten. Ids of records are taken from the first link of the list above the page. `isWanted`
 * selects routes. Errors: a list without such a link.
 */
export async function pagesOf(
  operator: Operator,
  known: Record<string, string>,
  isWanted: (route: string) => boolean = () => true,
): Promise<ConsolePage[]> {
  const routes = await operator.page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)');
  const pages: ConsolePage[] = [];
  const visible = routes.filter((each) => !outside.includes(each) && isWanted(each));
  for (const route of visible.toSorted()) {
    const path = await addressOf(operator, route, routes, known);
    pages.push({ route, path });
  }
  return pages;
}

async function addressOf(
  operator: Operator,
  route: string,
  routes: readonly string[],
  known: Record<string, string>,
): Promise<string> {
  const filled = route.replace(/\$(\w+)/g, (text, name: string) => known[name] ?? text);
  const at = filled.indexOf('/$');
  if (at === -1) return filled;
  const list = filled.slice(0, at);
  await operator.visit(list);
  const pattern = new RegExp(`^${filled.replaceAll(/\$\w+/g, '[^/?]+')}$`);
  const isOther = (path: string) =>
    routes.some(
      (each) =>
        each !== route &&
        each.replace(/\$(\w+)/g, (text, name: string) => known[name] ?? text) === path,
    );
  const links = operator.page.locator(`main a[href^="${list}/"]`);
  await links
    .first()
    .waitFor({ timeout: 60_000 })
    .catch(() => {
      throw new Error(
        `${list} has no link to a page ${route}: create a record in tests/e2e/console/conference.ts`,
      );
    });
  const paths = await links.evaluateAll((all) =>
    all.map((each) => new URL(String((each as { href?: string }).href)).pathname),
  );
  const found = paths.find((path) => pattern.test(path) && !isOther(path));
  if (!found) throw new Error(`${list} has no link to a page ${route}`);
  return found;
}
