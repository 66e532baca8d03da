import type { Page } from 'playwright-core';

/** Records when the page reads something, by its own clock, until it is loaded again. */
export const recordReads = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const send = window.fetch;
    window.reads = [];
    window.fetch = (...request) => {
      window.reads.push({ path: String(request[0]), at: Date.now() });
      return send(...request);
    };
  })()`);

/** When the page has read paths that fit a pattern, during `act`. Milliseconds of its own clock. */
export async function readsOf(
  page: Page,
  path: RegExp,
  act: () => Promise<unknown>,
): Promise<number[]> {
  await page.evaluate('window.reads.length = 0');
  await act();
  const reads = await page.evaluate<{ path: string; at: number }[]>('window.reads');
  return reads.filter((read) => path.test(read.path)).map(({ at }) => at);
}
