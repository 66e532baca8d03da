import { UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import {
  choicesFor,
  nameOf,
  type OrderPerson,
  type OrderSeat,
} from '../../components/ledger/seats.rules.ts';
import { useSeatRights } from '../../components/ledger/seats-dialog.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { openSeatsText } from '../../text/open-seats.ts';
import { ordersText } from '../../text/orders.ts';
import { registrationsText } from '../../text/registrations.ts';
import { endOfSeat } from './cancelled-seats.rules.ts';
import { refundOfSeat } from './seat-refund.rules.ts';

const text = ordersText.people;

/** One seat: who has it with its status, below what it is, beside it what was paid for it. */
function SeatRow({
  name,
  badge,
  detail,
  price,
  action,
  children,
}: {
  name: ReactNode;
  badge: ReactNode;
  detail: string;
  price: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-40 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          {badge}
        </span>
        <span dir="auto" className="block text-muted wrap-anywhere">
          {detail}
        </span>
        {children}
      </div>
      {/* Where it is narrow, the room is for the name and the email. */}
      <div className="ml-auto max-w-32 text-right tabular-nums @min-[40rem]:max-w-none">
        {price}
      </div>
      {action}
    </li>
  );
}

/** The email, unless it stands for the name, and the ticket. */
const detailOf = (seat: Pick<OrderSeat, 'name' | 'email' | 'itemName'>): string =>
  seat.name === null || seat.email === null ? seat.itemName : `${seat.email} · ${seat.itemName}`;

/** A person with the price, and what can be done. */
export function PersonRow({
  order,
  seat,
  person,
  onChoose,
}: {
  order: FoundOrder;
  seat: OrderSeat;
  person: OrderPerson;
  onChoose: () => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const { registrationId, status, checkinCode } = person;
  const mayRead = usePermission('people.read');
  const name = nameOf(person);
  const money = (amount: number) => formatMoney(amount, order.currency);
  const price = person.amount + person.addonAmount;
  const hasEnded = (status === 'cancelled' || status === 'rejected') && price > 0;
  return (
    <SeatRow
      name={
        mayRead ? (
          <TextLink href={paths.registration(unit.id, event.id, registrationId)}>{name}</TextLink>
        ) : (
          name
        )
      }
      badge={status && <StatusBadge kind="registration" status={status} />}
      detail={detailOf(person)}
      price={
        <>
          {money(price)}
          {person.addonAmount > 0 && (
            <span className="block text-muted">{text.withAddons(money(person.addonAmount))}</span>
          )}
          <Refunded order={order} seat={seat} />
        </>
      }
      action={<ChoiceButton person={person} onChoose={onChoose} />}
    >
      {checkinCode && person.isActive && (
        <CopyText text={checkinCode} label={registrationsText.copyBadge} className="-ml-1" />
      )}
      {person.isUnfulfilled && <span className="block text-muted">{text.registeredBefore}</span>}
      {hasEnded && <SeatEnd order={order} id={registrationId} />}
    </SeatRow>
  );
}

/** The usual choice for a person or an open seat, if there is one. */
function ChoiceButton({ person, onChoose }: { person: OrderPerson; onChoose: () => void }) {
  const [action] = choicesFor(person, useSeatRights());
  if (!action) return null;
  return (
    <Button
      aria-label={ordersText.seats.actionFor(ordersText.seats.actions[action], nameOf(person))}
      onClick={onChoose}
    >
      {ordersText.seats.actions[action]}
    </Button>
  );
}

/** A seat of an order by its registration, or by its own id if it was sold without a name. */
interface SeatOfOrder {
  order: FoundOrder;
  id: string;
}

/** What of the price of a seat is paid back. */
function Refunded({ order, seat }: { order: FoundOrder; seat: OrderSeat }) {
  const refund = refundOfSeat(order, seat);
  if (refund.outcome === 'nothing') return null;
  const amount = refund.outcome === 'part' ? formatMoney(refund.amount, order.currency) : null;
  return <span className="block text-muted">{text.refunded(refund.outcome, amount)}</span>;
}

/** What the policy gives for a cancelled seat. */
function SeatEnd({ order, id }: SeatOfOrder) {
  const end = endOfSeat(order, id);
  if (!end) return null;
  const money = (amount: number) => formatMoney(amount, order.currency);
  switch (end.outcome) {
    case 'undecided':
      return <span className="block text-muted">{text.undecided}</span>;
    case 'too_late':
      return <span className="block text-muted">{text.tooLate}</span>;
    case 'by_rule': {
      const { refundAmount, keptAmount, feeAmount } = end.amounts;
      return (
        <span className="block">
          <span className={end.state === 'due' || end.state === 'failed' ? 'text-red' : undefined}>
            {text.byPolicy(money(refundAmount), end.state)}
          </span>
          <span className="block text-muted">
            {text.kept(money(keptAmount), feeAmount === 0 ? null : money(feeAmount))}
            {' · '}
            {text.rule(end.rule)}
          </span>
        </span>
      );
    }
  }
}

/**
 * A seat without a registration: of an order that is not fulfilled, or one that was sold without a
 * name and is cancelled.
 */
export function WaitingSeat({
  order,
  seat,
  place,
}: {
  order: FoundOrder;
  seat: OrderSeat;
  place: number;
}) {
  const isCancelled = seat.status === 'cancelled';
  return (
    <SeatRow
      name={seat.email === null ? openSeatsText.seat(place) : nameOf(seat)}
      badge={isCancelled && <StatusBadge kind="registration" status={seat.status} />}
      detail={detailOf(seat)}
      price={
        <>
          {formatMoney(seat.amount + seat.addonAmount, order.currency)}
          <Refunded order={order} seat={seat} />
        </>
      }
    >
      {isCancelled && <SeatEnd order={order} id={seat.id} />}
    </SeatRow>
  );
}

/** A seat that was sold without a name. */
export function OpenSeatRow({
  order,
  seat,
  place,
  onAssign,
  onChoose,
}: {
  order: FoundOrder;
  seat: OrderPerson;
  place: number;
  /** Null if the seat cannot be assigned, or not by this operator. */
  onAssign: (() => void) | null;
  onChoose: () => void;
}) {
  return (
    <SeatRow
      name={openSeatsText.seat(place)}
      badge={<StatusBadge kind="seat" status="unassigned" />}
      detail={seat.itemName}
      price={formatMoney(seat.amount + seat.addonAmount, order.currency)}
      action={
        <span className="flex flex-wrap gap-2">
          {onAssign && (
            <Button icon={UserPlus} aria-label={openSeatsText.assignSeat(place)} onClick={onAssign}>
              {openSeatsText.assign}
            </Button>
          )}
          <ChoiceButton person={seat} onChoose={onChoose} />
        </span>
      }
    >
      {order.status !== 'paid' && <span className="block text-muted">{openSeatsText.notYet}</span>}
    </SeatRow>
  );
}
