import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useScopePath } from '../../api/api.queries.ts';
import { useClient } from '../../api/client.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Order, Registration } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { paths } from '../../format/paths.ts';
import { detailText } from '../../text/detail.ts';
import { StatusBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/link.tsx';

/** How many people of an order are read at first. */
const firstPeople = 8;

/**
 * The people of an order as they are now, each with a link to their page, except the one whose page
 * it is.
 */
export function OrderPeople({
  order,
  currentId = null,
}: {
  order: Pick<Order, 'registrations'>;
  currentId?: string | null;
}) {
  const unit = useUnit();
  const event = useEvent();
  const [showsAll, setShowsAll] = useState(false);
  const { registrations: all } = order;
  const shown = showsAll || all.length <= firstPeople + 1 ? all : all.slice(0, firstPeople);
  const names = useNames(shown.map(({ id }) => id));
  if (all.length === 0) return null;
  return (
    <>
      <ul className="mt-1 flex flex-col gap-1">
        {shown.map(({ id, status }, index) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            {id === currentId ? (
              <span className="font-medium">{names[index]}</span>
            ) : (
              <TextLink href={paths.registration(unit.id, event.id, id)}>
                {names[index] ?? id}
              </TextLink>
            )}
            {status && status !== 'confirmed' && (
              <StatusBadge kind="registration" status={status} />
            )}
          </li>
        ))}
      </ul>
      {shown.length < all.length && (
        <Button kind="quiet" onClick={() => setShowsAll(true)}>
          {detailText.showPeople(all.length)}
        </Button>
      )}
    </>
  );
}

/** The names of people, in the order of their ids; undefined until they are read. */
function useNames(ids: readonly string[]): (string | undefined)[] {
  const client = useClient();
  const scope = useScopePath();
  const path = useEventPath();
  return useQueries({
    queries: ids.map((id) => {
      const ofPerson = `${path}/registrations/${encodeURIComponent(id)}`;
      return {
        queryKey: [scope, ofPerson, {}],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          client.request<Registration>({ path: `${scope}/${ofPerson}`, signal }),
      };
    }),
    combine: (results) => results.map(({ data }) => data && (data.name ?? data.email)),
  });
}
