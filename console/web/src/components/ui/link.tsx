import { Link as RouterLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface LinkProps {
  href: string;
  search?: Record<string, string | undefined>;
  children: ReactNode;
  className?: string;
  title?: string;
  onClick?: () => void;
  'aria-label'?: string;
  'aria-current'?: 'page' | undefined;
  /** Whether the page scrolls to its top. */
  resetScroll?: boolean;
}

/** A link to a page of the console. It loads the page's code when the pointer is over it. */
export function Link({ href, search, ...rest }: LinkProps) {
  return <RouterLink to={href} search={search ?? {}} preload="intent" {...rest} />;
}

/** A link in running text. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return (
    <Link
      className={`font-medium text-accent-ink underline-offset-2 hover:underline ${className}`}
      {...rest}
    />
  );
}
