import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Link, type LinkProps } from './link.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

const variants: Record<ButtonKind, string> = {
  primary: 'bg-accent text-white hover:brightness-110',
  secondary: 'border border-edge/60 bg-surface text-ink hover:bg-hover',
  quiet: 'text-ink hover:bg-hover',
  danger: 'bg-danger text-white hover:brightness-110',
};

const shape =
  'inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md px-3 py-1 text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-60 touch:min-h-11';

/** In a row of many actions on a phone, the icon stands for the words. */
const hiddenIfCompact = 'inline-flex items-center gap-1.5 max-md:in-data-compact:sr-only';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: LucideIcon;
  isBusy?: boolean;
  children: ReactNode;
}

/** A button. While it is busy it shows that, keeps its width and ignores clicks. */
export function Button({
  kind = 'secondary',
  icon: Icon,
  isBusy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      className={classes(
        shape,
        variants[kind],
        kind === 'secondary' && 'max-md:in-data-compact:px-2.5',
        className,
      )}
    >
      {isBusy ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        Icon && <Icon aria-hidden className="size-4 shrink-0" />
      )}
      {Icon && kind === 'secondary' ? (
        <span className={hiddenIfCompact}>{children}</span>
      ) : (
        children
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = 'secondary',
  icon: Icon,
  className,
  children,
  ...rest
}: LinkProps & { kind?: ButtonKind; icon?: LucideIcon }) {
  return (
    <Link {...rest} className={classes(shape, variants[kind], className)}>
      {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {children}
    </Link>
  );
}

/** A link to a file or another app, which opens beside the console and looks like a button. */
export function FileLink({
  href,
  icon: Icon,
  children,
}: {
  href: string;
  icon: LucideIcon;
  children: ReactNode;
}) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={classes(shape, variants.secondary)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {children}
    </a>
  );
}

/** A button with an icon only. `label` is its name for screen readers and its tooltip. */
export function IconButton({
  icon: Icon,
  label,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { icon: LucideIcon; label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink touch:size-11',
        className,
      )}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
