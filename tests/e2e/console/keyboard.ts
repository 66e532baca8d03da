import type { Page } from 'playwright-core';

/** What a person without a pointer meets on a page. */
export interface KeyboardWalk {
  /** Controls that Tab does not reach. */
  unreached: string[];
  /** Controls that do not show that they have the focus. */
  invisible: string[];
}

/**
 * Marks the controls of the page that Tab should reach, and returns their number. Of a radio group,
 * Tab reaches one.
 */
const markControls = `(() => {
  const all = document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])',
  );
  const isReachable = (each) =>
    !each.disabled && each.tabIndex >= 0 && each.type !== 'radio' && each.type !== 'hidden' &&
    each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert]');
  let count = 0;
  for (const each of all) if (isReachable(each)) each.dataset.walk = String(count++);
  document.activeElement?.blur();
  window.getSelection()?.removeAllRanges();
  return count;
})()`;

/**
 * The control with the focus: its mark, a description, and whether it looks different from the
 * others.
 */
const readFocus = `(() => {
  const each = document.activeElement;
  if (!each || each === document.body) return null;
  const style = getComputedStyle(each);
  return {
    mark: each.dataset.walk ?? null,
    html: each.outerHTML.slice(0, 160),
    isVisible: style.outlineStyle !== 'none' && style.outlineWidth !== '0px',
  };
})()`;

/**
 * Presses Tab from the top of the page until every control had the focus, or twice as often as
 * there are controls.
 */
export async function walkByKeyboard(page: Page): Promise<KeyboardWalk> {
  const count = await page.evaluate<number>(markControls);
  const reached = new Set<string>();
  const invisible = new Set<string>();
  for (let presses = 0; presses < 2 * count + 10 && reached.size < count; presses++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<{
      mark: string | null;
      html: string;
      isVisible: boolean;
    } | null>(readFocus);
    if (!focus) continue;
    if (focus.mark !== null) reached.add(focus.mark);
    if (!focus.isVisible) invisible.add(focus.html);
  }
  const marked = await page
    .locator('[data-walk]')
    .evaluateAll((all) =>
      all.map((each) => [each.getAttribute('data-walk'), each.outerHTML.slice(0, 160)] as const),
    );
  return {
    unreached: marked.filter(([mark]) => !reached.has(mark ?? '')).map(([, html]) => html),
    invisible: [...invisible],
  };
}
