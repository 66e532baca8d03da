import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { UnsavedQuestion } from './dialog.tsx';
import { isReleased, losesNothing, type Unsaved, UnsavedContext } from './unsaved.ts';

/**
 * Asks before something is lost: when another page opens, when the tab closes, and when the dialog around it closes. While a
 * request is running, the dialog stays open, because it shows the result. Filters in the address keep what was typed. `hasFailed`
 * says that the last request failed and that this is shown.
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
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded() && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  });
  // A form that is saved while the question is open has lost nothing, and the other page opens. So it does if a dialog ends with it.
  useEffect(() => {
    if (blocker.status === 'blocked' && isReleased(find.current(), hasFailed)) blocker.proceed();
  });
  const proceed = useRef(blocker.proceed);
  useLayoutEffect(() => {
    proceed.current = blocker.proceed;
  });
  useEffect(() => () => proceed.current?.(), []);
  if (blocker.status !== 'blocked') return null;
  return <UnsavedQuestion isOpen onStay={blocker.reset} onLeave={blocker.proceed} />;
}
