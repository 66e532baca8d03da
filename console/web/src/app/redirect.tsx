import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Replaces the address once, when it appears. */
export function Redirect({ to, returnTo }: { to: string; returnTo?: string }) {
  const navigate = useNavigate();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const search = returnTo === undefined ? {} : { returnTo };
    void navigate({ to, search: search as never, replace: true });
  }, [navigate, to, returnTo]);
  return null;
}
