import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/** A block of the page with an optional heading and actions. */
export function Section({
  title,
  description,
  actions,
  children,
  className,
  isFlush = false,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Without inner space, for tables. */
  isFlush?: boolean;
}) {
  return (
    <section
      aria-label={title}
      className={classes('rounded-md border border-line bg-surface', className)}
    >
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 pb-2">
          <div>
            <h2 className="font-semibold">{title}</h2>
            {description && <p className="text-muted">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={classes(!isFlush && 'px-4 pb-4', !isFlush && !title && 'pt-4')}>
        {children}
      </div>
    </section>
  );
}

/** The top of a page: its name, what it is, and its actions. */
export function PageHeader({
  title,
  badge,
  description,
  actions,
  isCompact = false,
}: {
  title: string;
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** There are many actions: on a phone, those that are not the main one show only their icon. */
  isCompact?: boolean;
}) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h1 dir="auto" className="min-w-0 text-xl leading-7 font-semibold wrap-anywhere">
            {title}
          </h1>
          {badge}
        </div>
        {description && <p className="mt-0.5 max-w-3xl text-muted">{description}</p>}
      </div>
      {actions && (
        <div
          data-compact={isCompact || undefined}
          className="flex flex-wrap items-center gap-2 max-md:data-compact:gap-1"
        >
          {actions}
        </div>
      )}
    </header>
  );
}

/** Facts in two columns: a word and its value. */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2">
      {items.map(
        (item) =>
          item && (
            <div key={item[0]} className="contents">
              <dt className="text-muted">{item[0]}</dt>
              <dd className="min-w-0 wrap-anywhere">{item[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
