import { useState } from 'react';
import type { DoorCount } from '../../api/records.ts';
import { classes } from '../../components/ui/classes.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { formatCount } from '../../format/count.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorName } from './rules.ts';

/** A card for each door. Its number is large enough for a tablet at the wall. */
export function DoorCards({ doors }: { doors: readonly DoorCount[] }) {
  return (
    <ul aria-label={text.doors} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {doors.map((door) => (
        <DoorCard key={door.subjectId} door={door} />
      ))}
    </ul>
  );
}

function DoorCard({ door }: { door: DoorCount }) {
  const { checkedIn, lastCheckinAt } = door;
  const [shown, setShown] = useState({ checkedIn, isChanged: false });
  if (shown.checkedIn !== checkedIn) setShown({ checkedIn, isChanged: true });
  const name = doorName(door);
  return (
    <li className="rounded-md border border-line bg-surface px-4 py-3">
      <span className="block font-medium wrap-anywhere">{name}</span>
      <span className="mt-1 flex items-baseline gap-2">
        <span
          key={checkedIn}
          data-door={name}
          className={classes('text-4xl font-semibold', shown.isChanged && 'highlights')}
        >
          {formatCount(checkedIn)}
        </span>
        <span className="text-muted">{text.checkedIn(checkedIn)}</span>
      </span>
      <span className="mt-1 block text-xs text-muted">
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
