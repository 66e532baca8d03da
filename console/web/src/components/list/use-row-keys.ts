import { useEffect, useRef } from 'react';
import { isShortcut } from '../ui/key-rules.ts';
import { readKey } from '../ui/read-key.ts';

/** `j` and `k` move the focus between the rows below the element, `x` selects the row, `/` goes to the search field. */
export function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(readKey(event))) return;
      const search = document.querySelector<HTMLElement>('[data-list-search]');
      if (event.key === '/' && search) {
        event.preventDefault();
        search.focus();
      }
      const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const index = rows.findIndex((row) => row.contains(document.activeElement));
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
