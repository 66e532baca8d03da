import { useState } from 'react';
import { useRegistrations } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { choicesOf, peopleOf } from '../../components/ledger/seats.rules.ts';
import { SeatsDialog, useSeatRights } from '../../components/ledger/seats-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { ordersText } from '../../text/orders.ts';
import { PersonRow, WaitingSeat } from './seat-rows.tsx';

const text = ordersText.people;

/** How many seats are shown, and their people read, at first. */
const firstSeats = 10;

/**
 * The seats of an order: who has them, what was paid for each, and the steps that refund and
 * cancel them.
 */
export function OrderPeople({ order }: { order: FoundOrder }) {
  const rights = useSeatRights();
  const [chosenIds, setChosenIds] = useState<readonly string[] | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const { seats } = order;
  const isLong = seats.length > firstSeats + 1;
  const shown = showsAll || !isLong ? seats : seats.slice(0, firstSeats);
  const holders = useRegistrations(shown.flatMap(({ registrationId }) => registrationId ?? []));
  const people = peopleOf(order, holders);
  const hasChoices = people.length > 1 && choicesOf(people, rights).length > 0;
  const isWaiting = seats.some(
    ({ status, registrationId }) => status === 'assigned' && registrationId === null,
  );
  return (
    <Section
      title={text.title}
      description={isWaiting ? text.beforePayment : undefined}
      isFlush
      actions={hasChoices && <Button onClick={() => setChosenIds([])}>{text.choose}</Button>}
    >
      {seats.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.none}</p>
      ) : (
        <ul aria-label={text.title} className="divide-y divide-line border-t border-line">
          {shown.map((seat) => {
            const person = people.find(({ id }) => id === seat.id);
            if (!person) return <WaitingSeat key={seat.id} order={order} seat={seat} />;
            const choose = () => setChosenIds([person.registrationId]);
            return <PersonRow key={seat.id} order={order} person={person} onChoose={choose} />;
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
      {chosenIds && (
        <SeatsDialog
          order={order}
          holders={holders}
          chosenIds={chosenIds}
          onClose={() => setChosenIds(null)}
        />
      )}
    </Section>
  );
}
