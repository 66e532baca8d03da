import { useState } from 'react';
import type { CheckinRates, DoorCount } from '../../api/records.ts';
import { Sparkline } from '../../components/chart/sparkline.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { classes } from '../../components/ui/classes.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { formatCount } from '../../format/count.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorName, rateOf } from './doors.rules.ts';

/**
 * With more doors, a screen of 1024 by 768 pixels has no room for large cards. It shows up to 12
 * small ones.
 */
const manyDoors = 4;

type Size = 'page' | 'large' | 'small';

const styles: Record<
  Size,
  Record<'grid' | 'card' | 'name' | 'count' | 'unit' | 'unusual' | 'detail', string>
> = {
  page: {
    grid: 'sm:grid-cols-2 lg:grid-cols-3',
    card: 'py-3',
    name: 'block wrap-anywhere',
    count: 'text-4xl',
    unit: '',
    unusual: '',
    detail: 'text-xs',
  },
  large: {
    grid: 'flex-1 auto-rows-fr grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))]',
    card: 'py-3',
    name: 'block text-2xl wrap-anywhere',
    count: 'text-[clamp(4rem,22vmin,16rem)] leading-none',
    unit: 'text-xl',
    unusual: 'text-xl',
    detail: 'text-xl',
  },
  small: {
    // A row with much to say is higher than the others, so that all fit.
    grid: 'flex-1 grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))]',
    card: 'py-2',
    // The lines have room for about 50 characters.
    name: 'line-clamp-2 [@media(min-height:60rem)]:line-clamp-3 text-[clamp(1rem,2.1vmin,2rem)] leading-tight wrap-anywhere',
    count: 'text-[clamp(3rem,7.5vmin,8rem)] leading-none',
    unit: 'text-lg',
    unusual: 'text-lg leading-tight',
    detail: 'text-base leading-tight',
  },
};

/**
 * A card for each door: how many are inside, how fast they come, and what is unusual. `isWall`
 * makes the numbers fill the screen.
 */
export function DoorCards({
  doors,
  rates,
  isWall = false,
}: {
  doors: readonly DoorCount[];
  rates: CheckinRates | undefined;
  isWall?: boolean;
}) {
  const size = !isWall ? 'page' : doors.length > manyDoors ? 'small' : 'large';
  return (
    <ul aria-label={text.doors} className={classes('grid gap-3', styles[size].grid)}>
      {doors.map((door) => (
        <DoorCard
          key={door.subjectId}
          door={door}
          rate={rates && rateOf(rates, door.subjectId)}
          size={size}
        />
      ))}
    </ul>
  );
}

function DoorCard({
  door,
  rate,
  size,
}: {
  door: DoorCount;
  rate: number[] | undefined;
  size: Size;
}) {
  const { checkedIn, lastCheckinAt } = door;
  const [shown, setShown] = useState({ checkedIn, isChanged: false });
  if (shown.checkedIn !== checkedIn) setShown({ checkedIn, isChanged: true });
  const name = doorName(door);
  const style = styles[size];
  return (
    <li
      className={classes('flex flex-col rounded-md border border-line bg-surface px-4', style.card)}
    >
      <span className={classes('font-medium', style.name)}>{name}</span>
      <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span
          key={checkedIn}
          data-door={name}
          className={classes('font-semibold', style.count, shown.isChanged && 'highlights')}
        >
          {formatCount(checkedIn)}
        </span>
        <span className={classes('text-muted', style.unit)}>{text.checkedIn(checkedIn)}</span>
      </span>
      {/* The line has its place before the rates are read, so that the cards do not grow. */}
      <span className={classes('mt-1 block text-muted', style.detail, !rate && 'invisible')}>
        {text.perMinute(rate?.at(-1) ?? 0)}
        {size !== 'small' && <Sparkline values={rate ?? []} />}
      </span>
      {size === 'page' ? (
        <Unusual {...door} />
      ) : (
        <UnusualOnWall door={door} className={style.unusual} />
      )}
      <span className={classes('mt-1 block text-muted', style.detail)}>
        {lastCheckinAt === null ? (
          text.noCheckin
        ) : (
          <>
            {text.lastCheckin}{' '}
            <Instant at={lastCheckinAt} style={size === 'small' ? 'relative' : 'full'} />
          </>
        )}
      </span>
    </li>
  );
}

/**
 * As `Unusual`, to be read from a distance. Refusals are normal at a door, so they have no color.
 */
function UnusualOnWall({ door, className }: { door: DoorCount; className: string }) {
  const { contested, overruled, refused } = door;
  const worthALook = [
    ...(contested > 0 ? [text.contested(contested)] : []),
    ...(overruled > 0 ? [text.overruled(overruled)] : []),
  ].join(', ');
  if (worthALook === '' && refused === 0) return null;
  return (
    <span className={classes('flex flex-wrap gap-x-2', className)}>
      {worthALook && <strong className="font-semibold text-amber">{worthALook}</strong>}
      {refused > 0 && <span className="text-muted">{text.refused(refused)}</span>}
    </span>
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
