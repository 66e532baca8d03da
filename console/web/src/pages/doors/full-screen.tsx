import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from '../../components/ui/classes.ts';

/**
 * A dialog on the whole screen, to be seen from a distance. The screen stays on. Escape ends it.
 * `children` have the title.
 */
export function FullScreen({
  onClose,
  className,
  children,
}: {
  onClose: () => void;
  className: string;
  children: ReactNode;
}) {
  useWholeScreen(onClose);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          className={classes(
            'fixed inset-0 z-50 flex overflow-y-auto bg-page p-4 sm:p-6',
            className,
          )}
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Shows the page without the browser around it and keeps the screen on, where the browser allows
 * it. Escape then ends this state without a key event, so its end is reported.
 */
function useWholeScreen(onEnd: () => void): void {
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOpen = true;
    let isWhole = false;
    const ignore = () => {};
    document.documentElement.requestFullscreen?.().catch(ignore);
    const onChange = () => {
      if (isWhole && !document.fullscreenElement) end.current();
      isWhole = document.fullscreenElement !== null;
    };
    const keepOn = async () => {
      if (document.visibilityState !== 'visible') return;
      const acquired = await navigator.wakeLock?.request('screen').catch(ignore);
      if (!acquired) return;
      if (isOpen) lock = acquired;
      else void acquired.release();
    };
    void keepOn();
    document.addEventListener('fullscreenchange', onChange);
    // A hidden page loses the lock.
    document.addEventListener('visibilitychange', keepOn);
    return () => {
      isOpen = false;
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('visibilitychange', keepOn);
      void lock?.release();
      if (document.fullscreenElement) document.exitFullscreen().catch(ignore);
    };
  }, []);
}
