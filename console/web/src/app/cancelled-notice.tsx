import { useEvent } from '../api/unit.ts';
import { Instant } from '../components/ui/instant.tsx';
import { shellText } from '../text/shell.ts';

/** Says on every page of a cancelled event why its orders, people and doors have ended. */
export function CancelledNotice() {
  const { cancelledAt } = useEvent();
  return (
    <p role="note" className="mb-4 rounded-md bg-red-soft px-3 py-2 font-medium text-red">
      {shellText.eventCancelled} <Instant at={cancelledAt} />
    </p>
  );
}
