import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Replaces the address, each time it appears and each time its own address is opened again before
 * the other page is loaded.
 */
export function Redirect({ to, returnTo }: { to: string; returnTo?: string }) {
  const navigate = useNavigate();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isOnTheWay = pathname === to;
  useEffect(() => {
    if (isOnTheWay) return;
    const search = returnTo === undefined ? {} : { returnTo };
    void navigate({ to, search: search as never, replace: true });
  }, [navigate, to, returnTo, isOnTheWay]);
  return null;
}
