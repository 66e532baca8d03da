import { useEvent } from '../api/unit.ts';
import { Instant } from '../components/ui/instant.tsx';
import { cancellationText as text } from '../text/event-cancellation.ts';

/** Says on every page of a cancelled event why its orders, people and doors have ended. */
export function CancelledNotice() {
  const { cancelledAt } = useEvent();
  return (
    <p role="note" className="mb-4 rounded-md bg-red-soft px-3 py-2 font-medium text-red">
      {text.cancelled} <Instant at={cancelledAt} />
    </p>
  );
}
