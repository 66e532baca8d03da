import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { common } from '../../text/common.ts';

/** A short message about what was done, with an action that undoes it where that is possible. */
export interface Message {
  title: string;
  undo: (() => void) | undefined;
}

const maximumVisible = 3;

/**
 * Shows each message once. They are announced, and leave after some seconds. A message beyond the
 * maximum takes the place of the oldest one. They are over the bar at the top of the page, so that
 * they cover no title, no row and no button of a form.
 */
export default function Toasts({ messages }: { messages: readonly Message[] }) {
  return (
    <Base.Provider timeout={5000} limit={maximumVisible}>
      <Base.Portal>
        <Base.Viewport className="fixed top-1.5 left-1/2 z-50 flex w-80 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col gap-2 md:left-[calc(50%+7rem)]">
          <ToastList messages={messages} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList({ messages }: { messages: readonly Message[] }) {
  const { toasts, add } = Base.useToastManager();
  const count = useRef(0);
  useEffect(() => {
    for (const { title, undo } of messages.slice(count.current)) {
      add({ title, ...(undo && { actionProps: { children: common.undo, onClick: undo } }) });
    }
    count.current = messages.length;
  }, [messages, add]);
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      data-toast
      className="rounded-md border border-line bg-surface px-4 py-2.5 shadow-lg data-limited:hidden"
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
