import { eventually } from '@event-api/platform/testing/eventually';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A verdict that a page has shown. */
export interface VisibleVerdict {
  kind: string;
  text: string;
}

/**
 * Makes every page of a browser context record its verdicts. A good verdict leaves by itself after
 * seconds, so a test on a busy machine may look too late.
 */
export const recordVerdicts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    globalThis.verdicts = [];
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!node.classList?.contains('result')) continue;
        verdicts.push({ kind: node.dataset.kind, text: node.textContent });
      }
    }).observe(document, { childList: true, subtree: true });`);

/** The verdicts that the page has shown since it was loaded. */
export const verdictsOf = (page: Page): Promise<VisibleVerdict[]> => page.evaluate('verdicts');

/** Starts to wait for the next verdict of a page. The returned function resolves with it. */
export async function nextVerdict(page: Page): Promise<() => Promise<VisibleVerdict>> {
  const { length } = await verdictsOf(page);
  return () =>
    eventually(async () => {
      const verdict = (await verdictsOf(page))[length];
      if (!verdict) throw new Error('the page shows no verdict');
      return verdict;
    });
}

/** Shows a badge to a hardware scanner, which types its code into the page. */
export async function typeBadge(page: Page, code: string): Promise<void> {
  await page.getByLabel('Badge code').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/** Shows a badge and resolves with the verdict. */
export async function scanBadge(page: Page, code: string): Promise<VisibleVerdict> {
  const verdict = await nextVerdict(page);
  await typeBadge(page, code);
  return verdict();
}

/** Shows a badge and expects a verdict of the device, which does not reach the platform. */
export async function scanOffline(page: Page, code: string, title: string): Promise<void> {
  const { text } = await scanBadge(page, code);
  expect(text).toContain(title);
  expect(text).toContain('Decided by this device');
}
