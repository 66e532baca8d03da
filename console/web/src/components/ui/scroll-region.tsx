import type { ReactNode } from 'react';

/**
 * A part of the page that scrolls sideways by itself, also with the keyboard. A shadow shows that
 * there is more.
 */
export const ScrollRegion = ({
  label,
  className = '',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <section aria-label={label} tabIndex={0} className={`scroll-cue overflow-x-auto ${className}`}>
    {children}
  </section>
);
