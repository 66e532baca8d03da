import { useEffect, useState } from 'react';

/** How long rows wait for the names in them. Most names arrive with one more request. */
const namesWithinMs = 2000;

/**
 * Whether a list can be shown: its rows and the names in them have arrived, or the names take long.
 * A name is longer or shorter than the id in its place, and would move the rows below it. Once shown,
 * a list stays until it becomes another one, by its key.
 */
export function useNamesOnce(list: string, hasRows: boolean, hasNames: boolean): boolean {
  const [shown, setShown] = useState<string | null>(null);
  const isReady = hasRows && hasNames;
  useEffect(() => {
    if (!hasRows) return;
    if (isReady) return setShown(list);
    const timer = setTimeout(() => setShown(list), namesWithinMs);
    return () => clearTimeout(timer);
  }, [list, hasRows, isReady]);
  return hasRows && (isReady || shown === list);
}
