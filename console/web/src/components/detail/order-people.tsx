import { useState } from 'react';
import { useRegistrations } from '../../api/event-data.ts';
import type { Order } from '../../api/records.ts';
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
  const found = useRegistrations(shown.map(({ id }) => id));
  const nameOf = (id: string) => found.get(id)?.name ?? found.get(id)?.email;
  if (all.length === 0) return null;
  return (
    <>
      <ul className="mt-1 flex flex-col gap-1">
        {shown.map(({ id, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            {id === currentId ? (
              <span className="font-medium">{nameOf(id)}</span>
            ) : (
              <TextLink href={paths.registration(unit.id, event.id, id)}>
                {nameOf(id) ?? id}
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
