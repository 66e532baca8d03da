import { useEffect, useRef } from 'react';
import { isShortcut } from '../ui/key-rules.ts';
import { readKey } from '../ui/read-key.ts';

/**
 * `j` and `k` move the focus between the rows of the element, `x` selects the row. Of several
 * tables of a page, the one with the focus reacts, otherwise the first one.
 */
export function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const focused = document.activeElement;
      const tables = [...document.querySelectorAll('[data-rows]')];
      const table = tables.find((each) => each.contains(focused)) ?? tables[0];
      if (!table || table !== body.current || !isShortcut(readKey(event))) return;
      const rows = [...table.querySelectorAll<HTMLElement>('[data-row]')];
      const index = rows.findIndex((row) => row.contains(focused));
      const linkOf = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>('a, button');
      if (event.key === 'j') linkOf(rows[index + 1])?.focus();
      if (event.key === 'k') linkOf(rows[Math.max(0, index - 1)])?.focus();
      if (event.key === 'x') rows[index]?.querySelector<HTMLElement>('[data-row-select]')?.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return body;
}
