import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { formatMoney } from '../../format/money.ts';
import { ordersText } from '../../text/orders.ts';
import { StatusBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useToast } from '../ui/toast.tsx';
import { UnsavedGuard } from '../ui/unsaved-guard.tsx';
import { Choice } from './choice.tsx';
import { Note } from './note.tsx';
import { Policy } from './policy.tsx';
import { refusalOf } from './refusal.ts';
import {
  choicesOf,
  decidesByPolicy,
  keepsTickets,
  nameOf,
  type OrderPerson,
  type PresentHolder,
  peopleOf,
  previewSeats,
  type SeatChoice,
  seatWrites,
} from './seats.rules.ts';

const text = ordersText.seats;

export const useSeatRights = () => ({
  mayRefund: usePermission('money'),
  mayCancel: usePermission('people.write'),
});

/** Who is chosen, what happens to them, and what that means. */
function useSeatChoice(
  order: FoundOrder,
  offered: readonly OrderPerson[],
  chosenIds: readonly string[],
) {
  const rights = useSeatRights();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(chosenIds));
  const [wanted, setWanted] = useState<SeatChoice | null>(null);
  const people = offered.filter((person) => choicesOf([person], rights).length > 0);
  const chosen = people.filter(({ registrationId }) => ids.has(registrationId));
  const choices = choicesOf(chosen.length > 0 ? chosen : people, rights);
  const choice = choices.find((each) => each === wanted) ?? choices[0] ?? 'cancel';
  const preview = previewSeats(order, chosen, choice);
  const money = (amount: number) => (amount > 0 ? formatMoney(amount, order.currency) : null);
  return {
    people,
    ids,
    toggle: (id: string) => setIds((before) => toggled(before, id)),
    chosen,
    choices,
    choice,
    choose: setWanted,
    names: preview.cancels.map(nameOf),
    /** What goes back, null if nothing does. */
    total: money(preview.amount + preview.due),
    due: money(preview.due),
    addons: money(preview.addonAmount),
    isCapped: preview.isCapped,
  };
}

type Chosen = ReturnType<typeof useSeatChoice>;

/** Sends the choice, and says what the provider has refused of it. */
function useSeatAction(order: FoundOrder, { names, total }: Chosen, onDone: () => void) {
  const toast = useToast();
  const [refusal, setRefusal] = useState<string | null>(null);
  const action = useAction<{ refunds?: FoundOrder['refunds'] }>(({ refunds = [] }) => {
    const sentence = refusalOf(order, refunds);
    if (sentence === null) {
      toast(text.done(total, names));
      onDone();
      return;
    }
    setRefusal(names.length === 0 ? sentence : `${text.done(null, names)}. ${sentence}`);
  });
  return { action, refusal };
}

/**
 * Refunds and cancels people of an order in one step. It begins with `chosenIds`, says what goes
 * back to whom and who is cancelled, and leaves the rest of the order as it is.
 */
export function SeatsDialog({
  order,
  holders,
  chosenIds,
  isFixed = false,
  onClose,
}: {
  order: FoundOrder;
  /** Who has the registrations now, as far as it is known. */
  holders: ReadonlyMap<string, PresentHolder>;
  chosenIds: readonly string[];
  /** Whether nobody else can be chosen. */
  isFixed?: boolean;
  onClose: () => void;
}) {
  const eventId = useEvent().id;
  const eventPath = useEventPath();
  const [reason, setReason] = useState('');
  const offered = peopleOf(order, holders).filter(
    ({ registrationId }) => !isFixed || chosenIds.includes(registrationId),
  );
  const seats = useSeatChoice(order, offered, chosenIds);
  const { chosen, choice, total, names } = seats;
  const { action, refusal } = useSeatAction(order, seats, onClose);
  const hasBands = decidesByPolicy(order);
  const target = { eventId, orderId: order.id, eventPath, reason: reason.trim() || null };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={text.title(order.orderNumber)}
      description={
        chosen.length === 0
          ? text.nobody
          : text.consequence({
              ...seats,
              email: order.email,
              byPolicy: choice === 'cancel' && hasBands,
            })
      }
      footer={
        <>
          <Button onClick={onClose} disabled={action.isRunning}>
            {text.back}
          </Button>
          <Button
            kind="danger"
            disabled={chosen.length === 0}
            isBusy={action.isRunning}
            onClick={() => void action.run(seatWrites(choice, chosen, target))}
          >
            {chosen.length === 0 ? text.choices[choice](text.price) : text.confirm(total, names)}
          </Button>
        </>
      }
    >
      <div className="grid gap-5 sm:grid-cols-[1.3fr_1fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <SeatFields order={order} seats={seats} />
          {choice !== 'cancel' && <Note value={reason} onChange={setReason} />}
          {action.error && <ErrorNote error={action.error} />}
          {refusal && !action.isRunning && !action.error && (
            <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
              {refusal}
            </p>
          )}
          <UnsavedGuard
            hasUnsaved={() => reason.trim() !== ''}
            isRunning={action.isRunning}
            hasFailed={action.error !== null}
          />
        </div>
        {(choice !== 'cancel' || hasBands) && <Policy order={order} />}
      </div>
    </Dialog>
  );
}

/** The people, unless there is only one, and what happens to those who are chosen. */
function SeatFields({ order, seats }: { order: FoundOrder; seats: Chosen }) {
  const { people, ids, toggle, chosen, choices, choice, choose } = seats;
  const hasBands = decidesByPolicy(order);
  const money = (amount: number) => formatMoney(amount, order.currency);
  const hasTicket = keepsTickets(chosen.length > 0 ? chosen : people);
  const labelOf = (each: SeatChoice) => {
    if (each === 'cancel' && hasBands) return text.cancelByPolicy;
    const label = each === 'refund' && !hasTicket ? text.refundOnly : text.choices[each];
    return label(
      chosen.length === 0 ? text.price : money(previewSeats(order, chosen, each).amount),
    );
  };
  const helpOf = (each: SeatChoice) => {
    if (each === 'cancel' && hasBands) return text.help.cancel_by_policy;
    return each === 'refund' && !hasTicket ? text.help.refund_only : text.help[each];
  };
  return (
    <>
      {people.length > 1 && (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">{text.who}</legend>
          {people.map((person) => (
            <PersonChoice
              key={person.registrationId}
              person={person}
              price={money(person.refundableAmount)}
              isChosen={ids.has(person.registrationId)}
              onToggle={() => toggle(person.registrationId)}
            />
          ))}
        </fieldset>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">{text.what}</legend>
        {choices.map((each) => (
          <Choice
            key={each}
            id={each}
            label={labelOf(each)}
            help={helpOf(each)}
            chosen={choice}
            onChoose={() => choose(each)}
          />
        ))}
      </fieldset>
    </>
  );
}

/** One person of the order with what can be paid back. */
function PersonChoice({
  person,
  price,
  isChosen,
  onToggle,
}: {
  person: OrderPerson;
  price: string;
  isChosen: boolean;
  onToggle: () => void;
}) {
  const { name, email, itemName, status, refundableAmount } = person;
  return (
    <label className="flex min-h-9 items-center gap-2.5 rounded-md px-1 hover:bg-hover touch:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent touch:size-6"
        checked={isChosen}
        onChange={onToggle}
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block wrap-anywhere">
          {nameOf(person)}
        </span>
        <span dir="auto" className="block text-muted wrap-anywhere">
          {name === null || email === null ? itemName : `${email} · ${itemName}`}
        </span>
      </span>
      {status !== 'confirmed' && status !== null && (
        <StatusBadge kind="registration" status={status} />
      )}
      <span className="tabular-nums">{refundableAmount > 0 ? price : text.noRefund}</span>
    </label>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
