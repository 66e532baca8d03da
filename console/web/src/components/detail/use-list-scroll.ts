import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the page to where the list was when it is shown again: without the list, the page is
 * shorter. The position is that of the last click or key, because the router scrolls before the
 * list is hidden.
 */
export function useListScroll(isHidden: boolean): void {
  const position = useRef<number | null>(null);
  // A layout effect ends before the shorter page scrolls.
  useLayoutEffect(() => {
    if (isHidden) return;
    if (position.current !== null) window.scrollTo({ top: position.current });
    const remember = () => {
      position.current = window.scrollY;
    };
    const events = ['click', 'keydown'] as const;
    for (const name of events) document.addEventListener(name, remember, { capture: true });
    return () => {
      for (const name of events) document.removeEventListener(name, remember, { capture: true });
    };
  }, [isHidden]);
}
