import { useLayoutEffect, useRef } from 'react';

/** Returns the page to where the list was when it is shown again: without the list, the page is shorter. */
export function useListScroll(isHidden: boolean): void {
  const position = useRef<number | null>(null);
  // A layout effect ends before the shorter page scrolls.
  useLayoutEffect(() => {
    if (isHidden) return;
    if (position.current !== null) window.scrollTo({ top: position.current });
    const onScroll = () => {
      position.current = window.scrollY;
    };
    document.addEventListener('scroll', onScroll);
    return () => document.removeEventListener('scroll', onScroll);
  }, [isHidden]);
}
