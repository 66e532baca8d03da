import { setTimeout as wait } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** How far elements have moved that a person saw. */
export interface LayoutShift {
  /**
   * The sum of all shifts since the page was loaded, as Chromium computes them. The Web Vitals call
   * at most 0.1 good.
   */
  score: number;
  /** The elements that moved, each with its shift, and its former and its new place. */
  moved: string[];
}

/**
 * Records the shifts of every page that is loaded from now on. A shift within half a second of a
 * click or a key is not one.
 */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.shifts = [];
    const nameOf = (node) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return element ? element.tagName + ' ' + element.textContent.slice(0, 40) : 'a removed element';
    };
    const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        window.shifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) =>
          nameOf(node) + ': ' + placeOf(previousRect) + ' → ' + placeOf(currentRect)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** What has moved since the page was loaded. */
export async function shiftOf(page: Page): Promise<LayoutShift> {
  const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('window.shifts');
  return {
    score: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.flatMap(({ value, moved }) => moved.map((each) => `${value.toFixed(3)} ${each}`)),
  };
}

const isRead = (request: Request): boolean => /\/api\/(?!.*\/live$)/.test(request.url());

/**
 * Delays the requests of a page, each by another time, so that its parts arrive one after the
 * other, as over a slow network. Returns a function that waits until all parts have arrived.
 */
export async function slowNetwork(page: Page): Promise<() => Promise<void>> {
  const open = new Set<Request>();
  page.on('request', (request) => isRead(request) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  let count = 0;
  await page.route('**/api/**', async (route) => {
    if (!isRead(route.request())) return route.continue();
    count += 1;
    await wait(350 + (count % 4) * 150);
    // The page may have been closed or left.
    await route.continue().catch(() => {});
  });
  return async () => {
    let quiet = 0;
    await expect
      .poll(
        async () => {
          quiet = open.size === 0 ? quiet + 1 : 0;
          // A response is rendered before the page sends the requests that depend on it.
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))',
          );
          return quiet;
        },
        { interval: 50 },
      )
      .toBeGreaterThan(2);
  };
}
