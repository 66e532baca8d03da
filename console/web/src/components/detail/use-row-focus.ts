import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusHeadingIn } from './use-detail-focus.ts';

/**
 * Gives the focus to the link of a row when the dialog of the row closes, if nothing has it: after
 * a reload with an open dialog there is no element to which the focus returns. Without such a link,
 * the heading of the panel or page gets it. `key` is the parameter of the address that names the
 * open row, `opened` its value.
 */
export function useRowFocus(
  key: string,
  opened: string | undefined,
  list: RefObject<HTMLElement | null>,
): void {
  const before = useRef(opened);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = opened;
    if (!last || opened || document.activeElement !== document.body) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a[href]') ?? [])];
    const row = links.find(({ search }) => new URLSearchParams(search).get(key) === last);
    if (row) return row.focus({ preventScroll: true });
    const page = list.current?.closest<HTMLElement>('aside, main');
    if (page) focusHeadingIn(page);
  }, [key, opened, list]);
}
