import { useObservable } from '../api/observable.ts';
import { blocked, rejected } from '../sync/send-scans.ts';
import { text } from '../text/en.ts';

/**
 * With what the device must be paired again, so that it can send all of its scans, and why the
 * platform does not accept some.
 */
export function BlockedScans() {
  const { doors, events } = useObservable(blocked);
  const causes = Map.groupBy(useObservable(rejected).values(), (cause) => cause);
  return (
    <>
      {doors.length > 0 && (
        <span>{text.unsentOfDoors(doors.map((name) => name ?? text.eventDoor))}</span>
      )}
      {events.length > 0 && <span>{text.unsentOf(events)}</span>}
      {[...causes].map(([cause, scans]) => (
        <span key={cause}>{text.notAccepted(scans.length, cause)}</span>
      ))}
    </>
  );
}
