import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { MoneyInput } from '../../components/form/text-fields.tsx';
import { Choice } from '../../components/ledger/choice.tsx';
import { Note } from '../../components/ledger/note.tsx';
import { Policy } from '../../components/ledger/policy.tsx';
import { dueOf } from '../../components/ledger/refund.rules.ts';
import { refusalOf } from '../../components/ledger/refusal.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { UnsavedGuard } from '../../components/ui/unsaved-guard.tsx';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';
import {
  partsOf,
  previewRefund,
  type RefundChoice,
  refundableOf,
  refundInput,
} from './orders.rules.ts';

interface Option {
  id: string;
  label: string;
  choice: RefundChoice;
}

function optionsOf(order: FoundOrder): Option[] {
  const money = (amount: number) => formatMoney(amount, order.currency);
  const due = dueOf(order);
  return [
    ...partsOf(order).map((part, index) => ({
      id: `part ${index}`,
      label: text.refundPart(part, money(part.amount)),
      choice: { kind: 'amount' as const, amount: part.amount },
    })),
    ...(due > 0
      ? [{ id: 'due', label: text.refundDue(money(due)), choice: { kind: 'due' as const } }]
      : []),
    { id: 'all', label: text.refundAll(money(refundableOf(order))), choice: { kind: 'all' } },
  ];
}

/** What becomes of the registrations with a choice. */
function helpOf(order: FoundOrder, choice: RefundChoice): string {
  const preview = previewRefund(order, choice);
  return preview.outcome === 'possible' && preview.cancels ? text.cancels : text.keeps;
}

/**
 * Refunds a seat, a line, what is due, everything or an amount, with the policy of the order beside
 * it. `first` is the choice that it begins with.
 */
export function RefundDialog({
  order,
  first,
  onClose,
}: {
  order: FoundOrder;
  first?: 'due';
  onClose: () => void;
}) {
  const event = useEvent();
  const toast = useToast();
  const options = optionsOf(order);
  const [chosen, setChosen] = useState(first ?? options[0]?.id ?? 'all');
  const [typed, setTyped] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const option = options.find(({ id }) => id === chosen);
  const choice = option?.choice ?? { kind: 'amount', amount: typed ?? Number.NaN };
  const preview = previewRefund(order, choice);
  const isPossible = preview.outcome === 'possible';
  const money = isPossible ? formatMoney(preview.amount, order.currency) : '';
  const [refusal, setRefusal] = useState<string | null>(null);
  const action = useAction<{ refunds: FoundOrder['refunds'] }>(({ refunds }) => {
    const sentence = refusalOf(order, refunds);
    setRefusal(sentence);
    if (sentence !== null) return;
    toast(text.refunded(money));
    onClose();
  });
  const refund = () =>
    void action.run({
      command: 'order.refund',
      input: {
        eventId: event.id,
        orderId: order.id,
        ...refundInput(order, choice),
        reason: reason.trim() || null,
      },
    });
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={text.refundTitle(order.orderNumber)}
      description={
        isPossible
          ? `${text.consequence(money, order.email)} ${helpOf(order, choice)}`
          : text.refundWhat
      }
      footer={
        <>
          <Button onClick={onClose} disabled={action.isRunning}>
            {common.cancel}
          </Button>
          <Button kind="danger" disabled={!isPossible} isBusy={action.isRunning} onClick={refund}>
            {text.confirm(money)}
          </Button>
        </>
      }
    >
      <div className="grid gap-5 sm:grid-cols-[1.3fr_1fr]">
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">{text.refundWhat}</legend>
          {options.map(({ id, label, choice: one }) => (
            <Choice
              key={id}
              id={id}
              label={label}
              help={helpOf(order, one)}
              chosen={chosen}
              onChoose={setChosen}
            />
          ))}
          <Choice id="other" label={text.refundAmount} chosen={chosen} onChoose={setChosen} />
          {option === undefined && (
            <>
              <MoneyInput
                currency={order.currency}
                value={typed}
                onChange={setTyped}
                attributes={{ 'aria-label': text.amount, 'aria-describedby': 'refund-problem' }}
              />
              <p id="refund-problem" role="status" className="text-red">
                {preview.outcome === 'too_high' &&
                  text.tooHigh(formatMoney(preview.left, order.currency))}
                {preview.outcome === 'no_amount' && typed !== null && text.noAmount}
              </p>
            </>
          )}
          <Note value={reason} onChange={setReason} />
          {action.error && <ErrorNote error={action.error} />}
          {refusal && !action.isRunning && !action.error && (
            <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
              {refusal}
            </p>
          )}
          <UnsavedGuard
            hasUnsaved={() => reason.trim() !== '' || typed !== null}
            isRunning={action.isRunning}
            hasFailed={action.error !== null}
          />
        </fieldset>
        <Policy order={order} />
      </div>
    </Dialog>
  );
}
