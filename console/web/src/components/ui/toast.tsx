import { CatchBoundary } from '@tanstack/react-router';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from 'react';
import type { Message } from './toasts.tsx';

// No page begins with a message, so the first load does without this code.
const Toasts = lazy(() => import('./toasts.tsx'));

type ShowToast = (title: string, undo?: () => void) => void;

const ToastContext = createContext<ShowToast>(() => {});

/**
 * Shows the messages of `useToast` above its content. If their code cannot be loaded, the pages go
 * on without them.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const show = useCallback<ShowToast>(
    (title, undo) => setMessages((before) => [...before, { title, undo }]),
    [],
  );
  return (
    <ToastContext value={show}>
      {children}
      {messages.length > 0 && (
        <CatchBoundary getResetKey={() => messages.length} errorComponent={() => null}>
          <Suspense>
            <Toasts messages={messages} />
          </Suspense>
        </CatchBoundary>
      )}
    </ToastContext>
  );
}

/** Returns a function that shows a message, with an action to undo where that is possible. */
export const useToast = (): ShowToast => useContext(ToastContext);
