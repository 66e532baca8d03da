import { type RefObject, useEffect, useRef } from 'react';

/** Until the first list with its detail is shown. */
let isDocumentNew = true;

/**
 * Whether a detail is what the document was loaded with: it keeps the focus that the browser chose.
 */
function isLoadedWith(opened: string): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation !== undefined && new URL(navigation.name).pathname === opened;
}

/**
 * Moves the focus to the heading of a detail that is opened within the application, from its list
 * or from another page, and back to the row when it closes. `opened` is the address of the detail,
 * or null.
 */
export function useDetailFocus(
  opened: string | null,
  list: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const last = isDocumentNew && opened !== null && isLoadedWith(opened) ? opened : before.current;
    isDocumentNew = false;
    before.current = opened;
    if (last === opened) return;
    if (opened !== null) return focusHeading(panel.current);
    // Only a focus that was lost with the panel returns.
    if (document.activeElement !== document.body) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a[href]') ?? [])];
    const row = links.find(({ pathname }) => pathname === last);
    if (row) row.focus({ preventScroll: true });
    else if (list.current) focusHeadingIn(list.current);
  }, [opened, list, panel]);
}

/** The heading appears when the record is read. Until then, the panel has the focus. */
function focusHeading(panel: HTMLElement | null): (() => void) | undefined {
  if (!panel || focusHeadingIn(panel)) return undefined;
  panel.focus({ preventScroll: true });
  const observer = new MutationObserver(() => {
    const isWaiting = [panel, document.body].includes(document.activeElement as HTMLElement);
    if (!isWaiting || focusHeadingIn(panel)) observer.disconnect();
  });
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Moves the focus to the first heading. Returns whether there is one. */
export function focusHeadingIn(panel: HTMLElement): boolean {
  const heading = panel.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
