import { useObservable } from '../api/observable.ts';
import { blocked } from '../sync/send-scans.ts';
import { text } from '../text/en.ts';

/** With what the device must be paired again, so that it can send all of its scans. */
export function BlockedScans() {
  const { doors, events } = useObservable(blocked);
  return (
    <>
      {doors.length > 0 && (
        <span>{text.unsentOfDoors(doors.map((name) => name ?? text.eventDoor))}</span>
      )}
      {events.length > 0 && <span>{text.unsentOf(events)}</span>}
    </>
  );
}
