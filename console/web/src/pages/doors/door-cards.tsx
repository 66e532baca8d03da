import { useState } from 'react';
import { useTicketTypes } from '../../api/event-data.ts';
import type { CheckinRates, DoorCount } from '../../api/records.ts';
import { Sparkline } from '../../components/chart/sparkline.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { classes } from '../../components/ui/classes.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { formatCount } from '../../format/count.ts';
import { doorsText as text } from '../../text/doors.ts';
import { doorName, expectedAt, rateOf, splitDoors } from './doors.rules.ts';

/** A card for each door: how many have come, how fast they come, and what is unusual. */
export function DoorCards({
  doors,
  rates,
}: {
  doors: readonly DoorCount[];
  rates: CheckinRates | undefined;
}) {
  const types = useTicketTypes().data?.ticketTypes;
  const { busy, quiet } = splitDoors(doors);
  return (
    <>
      <ul aria-label={text.doors} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {busy.map((door) => (
          <DoorCard
            key={door.subjectId}
            door={door}
            rate={rates && rateOf(rates, door.subjectId)}
            expected={expectedAt(door, types)}
          />
        ))}
      </ul>
      {quiet.length > 0 && (
        <p className="mt-2 text-muted">{text.quietDoors(quiet.map(doorName))}</p>
      )}
    </>
  );
}

/** Whether a number has changed since it was first shown. */
export function useHighlight(count: number): boolean {
  const [shown, setShown] = useState({ count, isChanged: false });
  if (shown.count !== count) setShown({ count, isChanged: true });
  return shown.isChanged;
}

function DoorCard({
  door,
  rate,
  expected,
}: {
  door: DoorCount;
  rate: number[] | undefined;
  expected: number | null;
}) {
  const { checkedIn, lastCheckinAt } = door;
  const isChanged = useHighlight(checkedIn);
  const name = doorName(door);
  return (
    <li className="flex flex-col rounded-md border border-line bg-surface px-4 py-3">
      <span className="block font-medium wrap-anywhere">{name}</span>
      <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span
          key={checkedIn}
          data-door={name}
          className={classes('text-4xl font-semibold', isChanged && 'highlights')}
        >
          {formatCount(checkedIn)}
        </span>
        <span className="text-muted">
          {expected === null ? text.checkedIn(checkedIn) : text.ofExpected(formatCount(expected))}
        </span>
      </span>
      {/* The line has its place before the rates are read, so that the cards do not grow. */}
      <span className={classes('mt-1 block text-xs text-muted', !rate && 'invisible')}>
        {text.perMinute(rate?.at(-1) ?? 0)}
        <Sparkline values={rate ?? []} />
      </span>
      <Unusual {...door} />
      <span className="mt-1 block text-xs text-muted">
        {lastCheckinAt === null ? (
          text.noCheckin
        ) : (
          <>
            {text.lastCheckin} <Instant at={lastCheckinAt} style="full" />
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
