import { type Device, type Door, keyOf } from '../api/device.ts';
import { useObservable } from '../api/observable.ts';
import { pageVersion } from '../api/version.ts';
import { unsentCount } from '../store/scans.ts';
import { rosterReadAt } from '../sync/sync-roster.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/time.ts';
import { BlockedScans } from './blocked-scans.tsx';

/** The name of a door on the screen. */
export const doorName = ({ subjectType, name }: Door): string =>
  name ?? (subjectType === 'event' ? text.eventDoor : text.removedDoor);

/** The doors of the device, one of which the person at the door chooses. */
export function DoorPage({
  device,
  onChoose,
  onUnpair,
}: {
  device: Device;
  onChoose: (door: Door) => void;
  onUnpair: () => void;
}) {
  const unsent = useObservable(unsentCount);
  const readAt = useObservable(rosterReadAt);
  const { timezone } = device.event;
  const roster = readAt === null ? null : formatTime(new Date(readAt).toISOString(), timezone);
  return (
    <main className="page">
      <h1>{text.chooseDoor}</h1>
      <p dir="auto">{device.event.name}</p>
      <ul className="doors">
        {device.doors.map((door) => (
          <li key={keyOf(door)}>
            <button type="button" onClick={() => onChoose(door)}>
              {doorName(door)}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="quiet"
        disabled={unsent > 0}
        onClick={() => {
          if (confirm(text.unpairQuestion)) onUnpair();
        }}
      >
        {text.unpair}
      </button>
      {unsent > 0 && (
        <p role="status">
          {text.unpairLater(unsent)} <BlockedScans />
        </p>
      )}
      <p>
        {text.queue(unsent)} · {roster === null ? text.noList : text.ready(roster)} ·{' '}
        {text.version(pageVersion)}
      </p>
    </main>
  );
}
