import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { emptySearch, type SearchStart } from '../components/ui/open-search.ts';
import { isLayerOpen } from '../components/ui/read-key.ts';

/** Loads the code of the search, which no page begins with. */
export const loadPalette = () => import('./palette.tsx');
const Palette = lazy(loadPalette);

/**
 * The search of everything, which Ctrl+K opens. Its code is loaded when it is opened first; if that
 * fails, the page goes on, and the next time tries again.
 */
export function Search(props: ComponentProps<typeof Palette>) {
  const { start, onStart } = props;
  useSearchKey(onStart);
  const [wasOpened, setOpened] = useState(false);
  if (start && !wasOpened) setOpened(true);
  if (!wasOpened) return null;
  return (
    <CatchBoundary getResetKey={() => String(start === null)} errorComponent={() => null}>
      <Suspense>
        <Palette {...props} />
      </Suspense>
    </CatchBoundary>
  );
}

function useSearchKey(onStart: (start: SearchStart) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!isLayerOpen()) onStart(emptySearch);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onStart]);
}
