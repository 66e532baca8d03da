import { Dialog } from '@base-ui/react/dialog';
import { ListChecks, Minimize2, TriangleAlert } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { useTicketTypes } from '../../api/event-data.ts';
import type { Live } from '../../api/live.ts';
import type { CheckinRates, DoorCount, TicketType } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { classes } from '../../components/ui/classes.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { LiveDot } from '../../components/ui/live-dot.tsx';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { doorsText as text } from '../../text/doors.ts';
import { useHighlight } from './door-cards.tsx';
import {
  doorName,
  expectedAt,
  isSilent,
  rateOf,
  toggleDoor,
  wallColumns,
  wallDigits,
  wallDoors,
  withActivity,
} from './doors.rules.ts';
import { FullScreen } from './full-screen.tsx';
import { refetchMs, useDeviceActivity, useDevices } from './use-devices.ts';

/** The doors on the whole screen, to be read from a distance. */
export function Wall({
  doors,
  rates,
  live,
  onClose,
}: {
  doors: readonly DoorCount[];
  rates: CheckinRates | undefined;
  live: Live;
  onClose: () => void;
}) {
  const { name } = useEvent();
  const mayReadDevices = usePermission('devices');
  const types = useTicketTypes().data?.ticketTypes;
  const [search, setSearch] = useSearchState();
  const [isChoosing, setChoosing] = useState(false);
  const shown = wallDoors(doors, search.doors);
  const { wide, narrow } = wallColumns(shown.length);
  const tiles = shown.map((door) => {
    const expected = expectedAt(door, types);
    const of = expected === null ? '' : text.ofExpected(formatCount(expected));
    return { door, count: formatCount(door.checkedIn), of };
  });
  return (
    <FullScreen onClose={onClose} className="flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <Dialog.Title className="text-2xl font-semibold wrap-anywhere">{name}</Dialog.Title>
          <Total doors={doors} types={types} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <LiveDot {...live} />
          <Button
            icon={ListChecks}
            aria-expanded={isChoosing}
            onClick={() => setChoosing(!isChoosing)}
          >
            {text.chooseDoors}
          </Button>
          <Button icon={Minimize2} onClick={onClose}>
            {text.leaveWall}
          </Button>
        </div>
      </header>
      {mayReadDevices && <SilentDevices />}
      {isChoosing && (
        <fieldset aria-label={text.chooseDoors} className="flex flex-wrap gap-2">
          {doors.map((door) => (
            <Button
              key={door.subjectId}
              aria-pressed={shown.includes(door)}
              kind={shown.includes(door) ? 'primary' : 'secondary'}
              onClick={() => setSearch({ doors: toggleDoor(shown, door.subjectId) })}
            >
              {doorName(door)}
            </Button>
          ))}
        </fieldset>
      )}
      <ul
        aria-label={text.doors}
        style={
          {
            '--wide': wide,
            '--narrow': narrow,
            '--wide-rows': Math.ceil(shown.length / wide),
            '--narrow-rows': Math.ceil(shown.length / narrow),
            '--digits': wallDigits(tiles),
          } as CSSProperties
        }
        className="[container-type:size] grid min-h-0 flex-1 auto-rows-fr grid-cols-[repeat(var(--columns),minmax(0,1fr))] gap-3 [--columns:var(--narrow)] [--rows:var(--narrow-rows)] landscape:[--columns:var(--wide)] landscape:[--rows:var(--wide-rows)]"
      >
        {tiles.map(({ door, count, of }) => (
          <Tile
            key={door.subjectId}
            door={door}
            rate={rates && rateOf(rates, door.subjectId)}
            count={count}
            of={of}
          />
        ))}
      </ul>
    </FullScreen>
  );
}

/** How many people are inside: those who have passed the entrance of the event. */
function Total({
  doors,
  types,
}: {
  doors: readonly DoorCount[];
  types: readonly TicketType[] | undefined;
}) {
  const entrance = doors.find(({ subjectType }) => subjectType === 'event');
  if (!entrance) return null;
  return (
    <p className="text-xl text-muted">
      {text.inside(entrance.checkedIn, expectedAt(entrance, types))}
    </p>
  );
}

/** The number of a tile: as large as the widest one and the lines around it allow, in all alike. */
const numberSize =
  'text-[length:max(2.5rem,min((100cqw/var(--columns)-3rem)/var(--digits),(100cqh/var(--rows)-max(13vmin,7rem))*0.9))]';

/** A door with a number to be read from a distance. */
function Tile({
  door,
  rate,
  count,
  of,
}: {
  door: DoorCount;
  rate: number[] | undefined;
  count: string;
  of: string;
}) {
  const { checkedIn, lastCheckinAt } = door;
  const isChanged = useHighlight(checkedIn);
  const name = doorName(door);
  return (
    <li className="flex min-h-36 flex-col rounded-md border border-line bg-surface px-4 py-2">
      <span className="line-clamp-3 text-[clamp(1rem,2.2vmin,2rem)] leading-tight font-medium wrap-anywhere">
        {name}
      </span>
      <span className="flex min-h-0 flex-1 items-center">
        <span
          className={classes(
            'flex items-baseline gap-x-[0.15em] leading-none whitespace-nowrap',
            numberSize,
          )}
        >
          <span
            key={checkedIn}
            data-door={name}
            className={classes('font-semibold', isChanged && 'highlights')}
          >
            {count}
          </span>
          {of && <span className="text-[0.25em] text-muted">{of}</span>}
        </span>
      </span>
      <span className="text-[clamp(1rem,2vmin,1.75rem)] leading-tight text-muted">
        <span className={rate ? '' : 'invisible'}>{text.perMinute(rate?.at(-1) ?? 0)}</span>
        {lastCheckinAt !== null && (
          <>
            {' '}
            · {text.lastCheckin} <Instant at={lastCheckinAt} style="relative" />
          </>
        )}
      </span>
      <Unusual door={door} />
    </li>
  );
}

/** What is worth a look. Refusals are normal at a door, so they have no color. */
function Unusual({ door: { contested, overruled, refused } }: { door: DoorCount }) {
  const worthALook = [
    ...(contested > 0 ? [text.contested(contested)] : []),
    ...(overruled > 0 ? [text.overruled(overruled)] : []),
  ].join(', ');
  if (worthALook === '' && refused === 0) return null;
  return (
    <span className="flex flex-wrap gap-x-2 text-[clamp(1rem,2vmin,1.75rem)] leading-tight">
      {worthALook && <strong className="font-semibold text-amber">{worthALook}</strong>}
      {refused > 0 && <span className="text-muted">{text.refused(refused)}</span>}
    </span>
  );
}

/** The devices that do not report any more, so that somebody looks after them. */
function SilentDevices() {
  const devices = useDevices(refetchMs).data?.devices ?? [];
  const activity = useDeviceActivity().data?.devices ?? [];
  const silent = withActivity(devices, activity).filter((device) => isSilent(device, now()));
  if (silent.length === 0) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-2xl font-medium text-amber">
      <TriangleAlert aria-hidden className="size-6 shrink-0" />
      {text.silentDevices(silent.map(({ name }) => name))}
    </p>
  );
}
