import { useState } from 'react';
import type { DoorCount } from '../../api/records.ts';
import { Sparkline } from '../../components/chart/sparkline.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { classes } from '../../components/ui/classes.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { formatCount } from '../../format/count.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorName } from './rules.ts';

/** A card for each door: how many are inside, how fast they come, and what is unusual. `isWall` makes the numbers fill the screen. */
export function DoorCards({
  doors,
  rates,
  isWall = false,
}: {
  doors: readonly DoorCount[];
  rates: Record<string, number[]>;
  isWall?: boolean;
}) {
  return (
    <ul
      aria-label={text.doors}
      className={classes(
        'grid gap-3',
        isWall
          ? 'flex-1 auto-rows-fr grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))]'
          : 'sm:grid-cols-2 lg:grid-cols-3',
      )}
    >
      {doors.map((door) => (
        <DoorCard
          key={door.subjectId}
          door={door}
          rate={rates[door.subjectId] ?? []}
          isWall={isWall}
        />
      ))}
    </ul>
  );
}

function DoorCard({ door, rate, isWall }: { door: DoorCount; rate: number[]; isWall: boolean }) {
  const { checkedIn, lastCheckinAt } = door;
  const [shown, setShown] = useState({ checkedIn, isChanged: false });
  if (shown.checkedIn !== checkedIn) setShown({ checkedIn, isChanged: true });
  const name = doorName(door);
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface px-4 py-3">
      <span className={classes('block font-medium wrap-anywhere', isWall && 'text-2xl')}>
        {name}
      </span>
      <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span
          key={checkedIn}
          data-door={name}
          className={classes(
            'font-semibold',
            isWall ? 'text-[clamp(4rem,22vmin,16rem)] leading-none' : 'text-4xl',
            shown.isChanged && 'highlights',
          )}
        >
          {formatCount(checkedIn)}
        </span>
        <span className={classes('text-muted', isWall && 'text-xl')}>
          {text.checkedIn(checkedIn)}
        </span>
      </span>
      {rate.length > 0 && (
        <span className={classes('mt-1 block text-muted', isWall ? 'text-xl' : 'text-xs')}>
          {text.perMinute(rate.at(-1) ?? 0)}
          <Sparkline values={rate} />
        </span>
      )}
      <Unusual {...door} />
      <span className={classes('mt-1 block text-muted', isWall ? 'text-lg' : 'text-xs')}>
        {lastCheckinAt === null ? (
          text.noCheckin
        ) : (
          <>
            {text.lastCheckin} <Instant at={lastCheckinAt} />
          </>
        )}
      </span>
    </li>
  );
}

/** The numbers of a door that are usually zero. */
function Unusual({ contested, overruled, refused }: DoorCount) {
  if (contested + overruled + refused === 0) return null;
  return (
    <span className="mt-2 flex flex-wrap gap-1">
      {contested > 0 && <Badge tone="amber">{text.contested(contested)}</Badge>}
      {overruled > 0 && <Badge tone="amber">{text.overruled(overruled)}</Badge>}
      {refused > 0 && <Badge tone="gray">{text.refused(refused)}</Badge>}
    </span>
  );
}
