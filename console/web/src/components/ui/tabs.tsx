import { classes } from './classes.ts';
import { Link } from './link.tsx';

export interface Tab {
  label: string;
  search: Record<string, string | undefined>;
  isCurrent: boolean;
}

/** Views of one page, each with its own address. */
export function Tabs({ label, href, tabs }: { label: string; href: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ label: name, search, isCurrent }) => (
        <Link
          key={name}
          href={href}
          search={search}
          aria-current={isCurrent ? 'page' : undefined}
          className={classes(
            '-mb-px flex min-h-9 items-center border-b-2 px-3 whitespace-nowrap touch:min-h-11',
            isCurrent
              ? 'border-accent font-medium text-accent-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
