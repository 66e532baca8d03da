import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { UnsavedQuestion } from './dialog.tsx';
import { hasNoChanges, UnsavedContext } from './unsaved.ts';

/**
 * Asks before unsaved changes are lost: when another page opens, when the tab closes, and when the dialog around it closes.
 * Filters in the address keep what was typed.
 */
export function UnsavedGuard({ hasUnsaved }: { hasUnsaved: () => boolean }) {
  const inDialog = useContext(UnsavedContext);
  useEffect(() => {
    if (!inDialog) return;
    inDialog.current = hasUnsaved;
    return () => {
      inDialog.current = hasNoChanges;
    };
  });
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <UnsavedQuestion isOpen onStay={blocker.reset} onLeave={blocker.proceed} />;
}
