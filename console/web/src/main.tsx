import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, limitedMs } from './api/error.ts';
import { createConsoleRouter } from './app/routes.tsx';
import { SessionGate } from './app/session-gate.tsx';
import { followSystemTheme } from './app/theme.ts';
import { ToastProvider } from './components/ui/toast.tsx';
import './styles.css';

const maxRetries = 2;

/**
 * Reads are repeated when the platform is down for a moment. A part that hangs has made the person
 * wait long enough.
 */
const isWorthRetry = (count: number, error: Error): boolean =>
  count < maxRetries && error instanceof ApiError && error.code !== 504 && error.isUnavailable;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: isWorthRetry,
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfterSeconds !== null
          ? Math.min(error.retryAfterSeconds, 5) * 1000
          : 300 * 2 ** count,
      refetchInterval: ({ state }) => limitedMs(state.error) ?? false,
    },
  },
});

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no element "root"');
followSystemTheme();
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <SessionGate>
          <RouterProvider router={createConsoleRouter()} />
        </SessionGate>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
