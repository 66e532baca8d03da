import { useState } from 'react';
import { useRegistrations } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import {
  choicesFor,
  choicesOf,
  nameOf,
  type OrderPerson,
  peopleOf,
} from '../../components/ledger/seats.rules.ts';
import { SeatsDialog, useSeatRights } from '../../components/ledger/seats-dialog.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { ordersText } from '../../text/orders.ts';
import { registrationsText } from '../../text/registrations.ts';

const text = ordersText.people;

/** How many people are read at first. */
const firstPeople = 10;

/** Who is in an order, what was paid for each, and the one step that refunds and cancels them. */
export function OrderPeople({ order }: { order: FoundOrder }) {
  const rights = useSeatRights();
  const [chosenIds, setChosenIds] = useState<readonly string[] | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const sold = peopleOf(order);
  const count = showsAll || sold.length <= firstPeople + 1 ? sold.length : firstPeople;
  const holders = useRegistrations(
    sold.slice(0, count).map(({ registrationId }) => registrationId),
  );
  const people = peopleOf(order, holders);
  const shown = people.slice(0, count);
  const waiting = order.seats.filter(({ registrationId }) => registrationId === null);
  const hasChoices = people.length > 1 && choicesOf(people, rights).length > 0;
  return (
    <Section
      title={text.title}
      description={waiting.length > 0 ? text.beforePayment : undefined}
      isFlush
      actions={hasChoices && <Button onClick={() => setChosenIds([])}>{text.choose}</Button>}
    >
      {order.seats.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.none}</p>
      ) : (
        <ul aria-label={text.title} className="divide-y divide-line border-t border-line">
          {shown.map((person) => (
            <PersonRow
              key={person.registrationId}
              order={order}
              person={person}
              onChoose={() => setChosenIds([person.registrationId])}
            />
          ))}
          {waiting.map(({ email, name, itemName }) => (
            <li key={email} className="px-4 py-2.5">
              <span dir="auto" className="block font-medium wrap-anywhere">
                {nameOf({ name, email })}
              </span>
              <span dir="auto" className="text-muted wrap-anywhere">
                {name === null ? itemName : `${email} · ${itemName}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < people.length && (
        <p className="border-t border-line px-3 py-1">
          <Button kind="quiet" onClick={() => setShowsAll(true)}>
            {text.showAll(people.length)}
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

/** One person with the price, and what can be done. */
function PersonRow({
  order,
  person,
  onChoose,
}: {
  order: FoundOrder;
  person: OrderPerson;
  onChoose: () => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const { registrationId, email, status, checkinCode } = person;
  const mayRead = usePermission('people.read');
  const [action] = choicesFor(person, useSeatRights());
  const name = nameOf(person);
  const money = (amount: number) => formatMoney(amount, order.currency);
  const isRefunded = order.refunds.some(
    ({ state, registrationIds }) =>
      (state === 'done' || state === 'pending') && registrationIds.includes(registrationId),
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-40 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {mayRead ? (
              <TextLink href={paths.registration(unit.id, event.id, registrationId)}>
                {name}
              </TextLink>
            ) : (
              name
            )}
          </span>
          {status && <StatusBadge kind="registration" status={status} />}
        </span>
        <span dir="auto" className="block text-muted wrap-anywhere">
          {name === email ? person.itemName : `${email} · ${person.itemName}`}
        </span>
        {checkinCode && person.isActive && (
          <CopyText text={checkinCode} label={registrationsText.copyBadge} className="-ml-1" />
        )}
        {person.isUnfulfilled && <span className="block text-muted">{text.registeredBefore}</span>}
      </div>
      <div className="text-right tabular-nums">
        {money(person.amount + person.addonAmount)}
        {person.addonAmount > 0 && (
          <span className="block text-muted">{text.withAddons(money(person.addonAmount))}</span>
        )}
        {isRefunded && <span className="block text-muted">{text.refunded}</span>}
      </div>
      {action && (
        <Button
          aria-label={ordersText.seats.actionFor(ordersText.seats.actions[action], name)}
          onClick={onChoose}
        >
          {ordersText.seats.actions[action]}
        </Button>
      )}
    </li>
  );
}
