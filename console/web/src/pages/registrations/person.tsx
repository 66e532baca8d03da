import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { DetailColumns } from '../../components/detail/columns.tsx';
import { DetailError } from '../../components/detail/detail-error.tsx';
import { SkeletonRows } from '../../components/ui/states.tsx';
import { AnswersSection } from './person/answers-section.tsx';
import { Doors } from './person/doors.tsx';
import { PersonFacts } from './person/facts.tsx';
import { PersonHeader } from './person/header.tsx';
import { PersonHistory } from './person/history.tsx';
import { PersonOrders } from './person/orders.tsx';
import { Perks } from './person/perks.tsx';
import { PersonTickets } from './person/tickets.tsx';

/** Everything about one person in the event, and everything that can be done. */
export function Person({ id }: { id: string }) {
  const path = `${useEventPath()}/registrations/${encodeURIComponent(id)}`;
  const query = useRead<Registration>(path);
  if (query.error && !query.data) {
    return <DetailError error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <SkeletonRows count={5} />;
  const person = query.data;
  return (
    <>
      <PersonHeader person={person} path={path} />
      <DetailColumns timeline={<PersonHistory person={person} />}>
        <PersonFacts person={person} />
        <Doors person={person} />
        <Perks person={person} path={`${path}/perks`} />
        <AnswersSection person={person} path={path} />
        {/* Only some people have these lists. Above the others, they would move them. */}
        <PersonOrders person={person} />
        {person.email && <PersonTickets id={person.id} email={person.email} />}
      </DetailColumns>
    </>
  );
}
