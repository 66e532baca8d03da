import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UnsavedQuestion } from './dialog.tsx';
import { isReleased, losesNothing, type Unsaved, UnsavedContext } from './unsaved.ts';

/**
 * Asks before something is lost: when another page opens, when the tab closes, and when the dialog
 * around it closes. While a request is running, the dialog stays open, because it shows the result.
 * Filters in the address keep what was typed. `hasFailed` says that the last request failed and
 * that this is shown.
 */
export function UnsavedGuard({
  hasUnsaved = () => false,
  isRunning,
  hasFailed = false,
}: {
  hasUnsaved?: () => boolean;
  isRunning: boolean;
  hasFailed?: boolean;
}) {
  const inDialog = useContext(UnsavedContext);
  // The router may call the function of a former rendering.
  const find = useRef(losesNothing);
  useLayoutEffect(() => {
    find.current = (): Unsaved => (isRunning ? 'result' : hasUnsaved() ? 'text' : 'nothing');
    if (inDialog) inDialog.current = find.current;
    return () => {
      find.current = losesNothing;
      if (inDialog) inDialog.current = losesNothing;
    };
  });
  const isNeeded = () => find.current() !== 'nothing';
  // It decides about the navigation that waits: true keeps the page. Not a state, because this may
  // end before it is rendered again.
  const decide = useRef<((stays: boolean) => void) | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const end = (stays: boolean) => {
    decide.current?.(stays);
    decide.current = null;
    setConfirming(false);
  };
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!isNeeded() || current.pathname === next.pathname) return false;
      decide.current?.(true);
      setConfirming(true);
      return new Promise<boolean>((resolve) => {
        decide.current = resolve;
      });
    },
    enableBeforeUnload: isNeeded,
  });
  // A form that is saved while the question is open has lost nothing, and the other page opens. So
  // it does if a dialog ends with it.
  useEffect(() => {
    if (isConfirming && isReleased(find.current(), hasFailed)) end(false);
  });
  useEffect(() => () => decide.current?.(false), []);
  if (!isConfirming) return null;
  return <UnsavedQuestion isOpen onStay={() => end(true)} onLeave={() => end(false)} />;
}
