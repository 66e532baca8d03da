import { useEffect, useRef } from 'react';

/** Whether keys belong to a control that the person types into. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target));

const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio';

/** `j` and `k` move the focus between the rows below the element, `x` selects the row, `/` goes to the search field. */
export function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
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
