import { useCommandRead } from '../../api/api.queries.ts';
import type { Checkin, FoundOrder } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { NoValue } from '../../components/ui/no-value.tsx';
import { registrationsText as text } from '../../text/registrations.ts';

// The place of a value is as wide before the value arrives, so that the row stays as it is.
const asWideAsValue = 'inline-block whitespace-nowrap';
const noText = '\u00a0';

/** The number of the order of a row. `orderIds` are the orders of the rows around it. */
export function OrderNumber({ id, orderIds }: { id: string; orderIds: readonly string[] }) {
  const { data, isPending } = useCommandRead<{ orders: FoundOrder[] }>('order.find', {
    eventId: useEvent().id,
    orderIds,
  });
  const number = data?.orders.find((order) => order.id === id)?.orderNumber;
  if (number === undefined && !isPending) return <NoValue />;
  return <span className={`${asWideAsValue} min-w-28`}>{number ?? noText}</span>;
}

/**
 * When the person of a row has passed the entrance of the event. `registrationIds` are the rows
 * around it.
 */
export function CheckedIn({
  id,
  registrationIds,
}: {
  id: string;
  registrationIds: readonly string[];
}) {
  const { data, isPending } = useCommandRead<{ checkins: Checkin[] }>('checkin.find', {
    registrationIds,
    subjectId: useEvent().id,
  });
  if (!data && !isPending) return <NoValue />;
  const checkin = data?.checkins.find(({ registrationId }) => registrationId === id);
  return (
    <span className={`${asWideAsValue} max-md:min-w-44`}>
      {checkin ? <Instant at={checkin.checkedInAt} /> : isPending ? noText : text.notCheckedIn}
    </span>
  );
}
