import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ordersText } from '../../text/orders.ts';
import { StatusBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useToast } from '../ui/toast.tsx';
import { UnsavedGuard } from '../ui/unsaved-guard.tsx';
import { Choice } from './choice.tsx';
import { Policy, useRefundPolicy } from './policy.tsx';
import { refusedBy } from './refund.rules.ts';
import {
  choicesOf,
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
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const rights = useSeatRights();
  const policy = useRefundPolicy();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(chosenIds));
  const [wanted, setWanted] = useState<SeatChoice | null>(null);
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const people = peopleOf(order, holders).filter(
    (person) =>
      choicesOf([person], rights).length > 0 &&
      !(isFixed && !chosenIds.includes(person.registrationId)),
  );
  const chosen = people.filter(({ registrationId }) => ids.has(registrationId));
  const choices = choicesOf(chosen.length > 0 ? chosen : people, rights);
  const choice = choices.find((each) => each === wanted) ?? choices[0] ?? 'cancel';
  const preview = previewSeats(order, chosen, choice);
  const money = (amount: number) => formatMoney(amount, order.currency);
  const names = preview.cancels.map(nameOf);
  const action = useAction<{ refunds?: FoundOrder['refunds'] }>(({ refunds = [] }) => {
    const refused = refusedBy(order.refunds, refunds);
    if (refused.length === 0) {
      toast(text.done(preview.amount > 0 ? money(preview.amount + preview.due) : null, names));
      onClose();
      return;
    }
    const amount = refused.reduce((sum, each) => sum + each.amount, 0);
    const sentence = ordersText.refused(money(amount), refused[0]?.failure ?? null);
    setRefusal(names.length === 0 ? sentence : `${text.done(null, names)}. ${sentence}`);
  });
  const isWaiting = choice !== 'cancel' && policy.isPending;
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
              total: preview.amount + preview.due > 0 ? money(preview.amount + preview.due) : null,
              due: preview.due > 0 ? money(preview.due) : null,
              addons: preview.addonAmount > 0 ? money(preview.addonAmount) : null,
              isCapped: preview.isCapped,
              email: order.email,
              names,
            })
      }
      footer={
        <>
          <Button onClick={onClose} disabled={action.isRunning}>
            {text.back}
          </Button>
          <Button
            kind="danger"
            disabled={chosen.length === 0 || isWaiting}
            isBusy={action.isRunning}
            onClick={() =>
              void action.run(
                seatWrites(choice, chosen, {
                  eventId: event.id,
                  orderId: order.id,
                  eventPath: path,
                  reason: reason.trim() || null,
                }),
              )
            }
          >
            {chosen.length === 0
              ? text.choices[choice](text.price)
              : text.confirm(
                  preview.amount + preview.due > 0 ? money(preview.amount + preview.due) : null,
                  names,
                )}
          </Button>
        </>
      }
    >
      <div className="grid gap-5 sm:grid-cols-[1.3fr_1fr]">
        <div className="flex min-w-0 flex-col gap-4">
          {people.length > 1 && (
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 font-medium">{text.who}</legend>
              {people.map((person) => (
                <PersonChoice
                  key={person.registrationId}
                  person={person}
                  price={money(person.paidAmount + person.addonAmount)}
                  isChosen={ids.has(person.registrationId)}
                  onToggle={() => setIds((before) => toggled(before, person.registrationId))}
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
                label={text.choices[each](
                  chosen.length === 0
                    ? text.price
                    : money(previewSeats(order, chosen, each).amount),
                )}
                help={text.help[each]}
                chosen={choice}
                onChoose={() => setWanted(each)}
              />
            ))}
          </fieldset>
          {choice !== 'cancel' && (
            <label className="flex flex-col gap-1">
              <span className="font-medium">
                {ordersText.reason}{' '}
                <span className="font-normal text-muted">({common.optional})</span>
              </span>
              <input
                className="control"
                maxLength={200}
                value={reason}
                onChange={(change) => setReason(change.target.value)}
              />
              <span className="text-muted">{ordersText.reasonHelp}</span>
            </label>
          )}
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
        {choice !== 'cancel' && <Policy {...policy} />}
      </div>
    </Dialog>
  );
}

/** One person of the order with the price that was paid. */
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
          {name === null ? itemName : `${email} · ${itemName}`}
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
