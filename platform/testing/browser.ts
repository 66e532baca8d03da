import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from '@event-api/local-servers/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * What a page violates of WCAG 2.2 AA. The source stays in a page until it is loaded again, and
 * only violations are collected and returned: both took half of the time.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
    }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/** How long a page may take for a step on a busy machine. */
const stepTimeoutMs = 60_000;

/** Starts a headless Chromium without DNS lookups. `args` are added to its command line. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium((line) => process.stderr.write(`${line}\n`)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(stepTimeoutMs));
  return browser;
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this worker. Each test opens contexts of its own, which share nothing. The
 * first call starts it; it ends with the worker.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/**
 * Closes what the tests of a file have opened: pages that stay open would take time from the next
 * file.
 */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** Writes a screenshot for visual inspection: `SCREENSHOTS=folder npm test -- scanner`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
