import { useCommandRead } from '../../api/queries.ts';
import type { Checkin, FoundOrder } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { NoValue } from '../../components/ui/no-value.tsx';

/** The number of the order of a row. `orderIds` are the orders of the rows around it. */
export function OrderNumber({ id, orderIds }: { id: string; orderIds: readonly string[] }) {
  const { data } = useCommandRead<{ orders: FoundOrder[] }>('order.find', {
    eventId: useEvent().id,
    orderIds,
  });
  const number = data?.orders.find((order) => order.id === id)?.orderNumber;
  const width = 'inline-block min-w-28';
  return number === undefined ? (
    <NoValue className={width} />
  ) : (
    <span className={`${width} whitespace-nowrap`}>{number}</span>
  );
}

/** When the person of a row has passed the entrance of the event. `registrationIds` are the rows around it. */
export function CheckedIn({
  id,
  registrationIds,
}: {
  id: string;
  registrationIds: readonly string[];
}) {
  const { data } = useCommandRead<{ checkins: Checkin[] }>('checkin.find', {
    registrationIds,
    subjectId: useEvent().id,
  });
  const checkin = data?.checkins.find(({ registrationId }) => registrationId === id);
  return <Instant at={checkin?.checkedInAt} />;
}
