import type { CSSProperties, ReactNode } from 'react';
import { FigureValue } from '../ui/figure-value.tsx';
import { Link } from '../ui/link.tsx';

export interface Tile {
  label: string;
  /** Undefined until it is read; null if it cannot be read. */
  value: string | undefined | null;
  /** What the value means. */
  hint: string;
  /** The page that has the rest. */
  href?: string;
}

/** A few figures beside each other, each with a link to its page. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }) {
  return (
    <ul
      aria-label={label}
      style={{ '--tiles': tiles.length } as CSSProperties}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-[repeat(var(--tiles),minmax(0,1fr))]"
    >
      {tiles.map((tile) => (
        <li key={tile.label} className="bg-surface last:odd:max-lg:col-span-2">
          <Frame href={tile.href}>
            <span className="block text-xs text-muted">{tile.label}</span>
            <span className="mt-1 block h-7 truncate text-xl font-semibold tabular-nums">
              <FigureValue
                value={tile.value ?? undefined}
                isMissing={tile.value === null}
                className="mt-1.5 w-12"
              />
            </span>
            <span className="block text-xs text-muted">{tile.hint}</span>
          </Frame>
        </li>
      ))}
    </ul>
  );
}

function Frame({ href, children }: { href: string | undefined; children: ReactNode }) {
  const shape = 'block h-full px-4 py-3';
  if (href === undefined) return <div className={shape}>{children}</div>;
  return (
    <Link href={href} className={`${shape} hover:bg-hover`}>
      {children}
    </Link>
  );
}
