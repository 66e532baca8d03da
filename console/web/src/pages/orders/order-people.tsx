import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { useRegistrations } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { usePermission } from '../../api/unit.ts';
import { choicesOf, decidesByPolicy, peopleOf } from '../../components/ledger/seats.rules.ts';
import { SeatsDialog, useSeatRights } from '../../components/ledger/seats-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { openSeatsText } from '../../text/open-seats.ts';
import { orderChangesText } from '../../text/order-changes.ts';
import { ordersText } from '../../text/orders.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { AssignListDialog } from './assign-list-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { type OpenSeat, openSeatsOf } from './open-seats.rules.ts';
import { OpenSeatRow, PersonRow, WaitingSeat } from './seat-rows.tsx';

const text = ordersText.people;

/** How many seats are shown, and their people read, at first. */
const firstSeats = 10;

type Opened =
  | { kind: 'choose'; ids: readonly string[] }
  | { kind: 'change' }
  | { kind: 'list' }
  | OpenedSeat;
interface OpenedSeat {
  kind: 'assign';
  seat: OpenSeat;
}

/**
 * The seats of an order: who has them, what was paid for each, and the steps that assign, refund
 * and cancel them.
 */
export function OrderPeople({ order }: { order: FoundOrder }) {
  const rights = useSeatRights();
  const mayAssign = usePermission('orders.place') && order.status === 'paid';
  const mayChange = usePermission('orders.cancel') && order.status === 'paid';
  const [opened, setOpened] = useState<Opened | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const { seats } = order;
  const isLong = seats.length > firstSeats + 1;
  const shown = showsAll || !isLong ? seats : seats.slice(0, firstSeats);
  const holders = useRegistrations(shown.flatMap(({ registrationId }) => registrationId ?? []));
  const people = peopleOf(order, holders);
  const open = openSeatsOf(order);
  const active = people.filter(({ isActive }) => isActive);
  const hasChoices = people.length > 1 && choicesOf(people, rights).length > 0;
  const close = () => setOpened(null);
  const isWaiting = seats.some(
    ({ status, registrationId }) => status === 'assigned' && registrationId === null,
  );
  return (
    <Section
      title={text.title}
      description={
        isWaiting
          ? text.beforePayment
          : open.length > 0
            ? openSeatsText.count(open.length)
            : undefined
      }
      isFlush
      actions={
        <>
          {mayAssign && open.length > 1 && (
            <Button icon={ListPlus} onClick={() => setOpened({ kind: 'list' })}>
              {openSeatsText.assignFromList}
            </Button>
          )}
          {mayChange && active.length > 0 && decidesByPolicy(order) && (
            <Button onClick={() => setOpened({ kind: 'change' })}>{orderChangesText.action}</Button>
          )}
          {hasChoices && (
            <Button onClick={() => setOpened({ kind: 'choose', ids: [] })}>{text.choose}</Button>
          )}
        </>
      }
    >
      {seats.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.none}</p>
      ) : (
        <ul
          aria-label={text.title}
          className="@container divide-y divide-line border-t border-line"
        >
          {shown.map((seat, index) => {
            const person = people.find(({ id }) => id === seat.id);
            if (!person) {
              return <WaitingSeat key={seat.id} order={order} seat={seat} place={index + 1} />;
            }
            const choose = () => setOpened({ kind: 'choose', ids: [person.registrationId] });
            const openSeat = open.find(({ id }) => id === seat.id);
            if (!openSeat) {
              return <PersonRow key={seat.id} {...{ order, seat, person }} onChoose={choose} />;
            }
            return (
              <OpenSeatRow
                key={seat.id}
                order={order}
                seat={person}
                place={openSeat.place}
                onAssign={mayAssign ? () => setOpened({ kind: 'assign', seat: openSeat }) : null}
                onChoose={choose}
              />
            );
          })}
        </ul>
      )}
      {shown.length < seats.length && (
        <p className="border-t border-line px-3 py-1">
          <Button kind="quiet" onClick={() => setShowsAll(true)}>
            {text.showAll(seats.length)}
          </Button>
        </p>
      )}
      {opened?.kind === 'choose' && (
        <SeatsDialog order={order} holders={holders} chosenIds={opened.ids} onClose={close} />
      )}
      {opened?.kind === 'change' && <ChangeDialog order={order} people={active} onClose={close} />}
      {opened?.kind === 'list' && <AssignListDialog order={order} onClose={close} />}
      {opened?.kind === 'assign' && (
        <AssignDialog order={order} seat={opened.seat} onClose={close} />
      )}
    </Section>
  );
}
