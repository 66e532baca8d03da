import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { common } from '../../text/common.ts';

const maximumShown = 3;

/**
 * Shows short messages about what was done. They are announced, and leave after some seconds. A message beyond the maximum
 * takes the place of the oldest one. They are at the top, where they
 * cover no button: those of a form are at the bottom.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider timeout={5000} limit={maximumShown}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed top-1 left-1/2 z-50 flex w-80 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col gap-2">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      data-toast
      className="rounded-md border border-line bg-surface px-4 py-3 shadow-lg data-limited:hidden"
    >
      <Base.Content className="flex items-center justify-between gap-3">
        <Base.Title className="min-w-0 font-medium wrap-anywhere" />
        <span className="flex items-center gap-2">
          {toast.actionProps && (
            <Base.Action className="rounded-sm font-medium text-accent-ink hover:underline" />
          )}
          <Base.Close
            aria-label={common.close}
            className="rounded-sm p-1 text-muted hover:bg-hover"
          >
            <X aria-hidden className="size-3.5" />
          </Base.Close>
        </span>
      </Base.Content>
    </Base.Root>
  ));
}

/** Returns a function that shows a message, with an action to undo where that is possible. */
export function useToast(): (title: string, undo?: () => void) => void {
  const { add } = Base.useToastManager();
  return (title, undo) => {
    add({ title, ...(undo && { actionProps: { children: common.undo, onClick: undo } }) });
  };
}
