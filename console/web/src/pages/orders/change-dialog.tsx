import { useState } from 'react';
import { useRun, useSend, useSendOnly } from '../../api/actions.ts';
import { ApiError } from '../../api/error.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { FoundOrder, OrderChange } from '../../api/records.ts';
import { nameOf, type OrderPerson } from '../../components/ledger/seats.rules.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { UnsavedGuard } from '../../components/ui/unsaved-guard.tsx';
import { useRemaining } from '../../components/ui/use-remaining.ts';
import { formatMoney } from '../../format/money.ts';
import { orderChangesText as text } from '../../text/order-changes.ts';
import { ChangeQuote } from './change-quote.tsx';

/** Whether an execution was refused because its quote is no longer valid. */
const isExpired = (error: Error | null): boolean =>
  error instanceof ApiError && error.reason === 'QUOTE_EXPIRED';

/**
 * Cancels seats of an order by its policy, or gives them another ticket type: first the seats, then
 * every amount as the server quotes it, then the execution of exactly this quote. A quote that has
 * expired is asked for again.
 */
export function ChangeDialog({
  order,
  people,
  onClose,
}: {
  order: FoundOrder;
  /** Those whose seats can be changed. */
  people: readonly OrderPerson[];
  onClose: () => void;
}) {
  const path = `${useEventPath()}/orders/${order.id}/changes`;
  const send = useSend();
  const sendOnly = useSendOnly();
  const toast = useToast();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** The new ticket type; empty to cancel the seats. */
  const [typeId, setTypeId] = useState('');
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const typeName = types.find(({ id }) => id === typeId)?.name ?? null;
  const [quote, setQuote] = useState<OrderChange['quote'] | null>(null);
  const ask = useRun(async () => {
    const changes = typeId
      ? { changeTypes: [...ids].map((seatId) => ({ seatId, ticketTypeId: typeId })) }
      : { cancelSeats: [...ids] };
    const body = { dryRun: true, ...changes };
    setQuote((await sendOnly<OrderChange>({ method: 'POST', path, body })).quote);
    execute.reset();
  });
  const execute = useRun(async () => {
    // The page links back to the order.
    const urls = quote?.amountToPay
      ? { successUrl: window.location.href, cancelUrl: window.location.href }
      : {};
    const body = { quoteId: quote?.id, ...urls };
    const { paymentUrl } = await send<OrderChange>({ method: 'POST', path, body });
    if (paymentUrl) return setPage(paymentUrl);
    toast(text.done(ids.size, typeName));
    onClose();
  });
  /** The payment page of the change. */
  const [page, setPage] = useState<string | null>(null);
  const isRunning = ask.isRunning || execute.isRunning;
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={text.title(order.orderNumber)}
      description={quote ? text.consequence(ids.size, typeName) : text.help}
      footer={
        page ? (
          <Button kind="primary" onClick={onClose}>
            {text.close}
          </Button>
        ) : quote ? (
          <QuoteActions
            key={quote.id}
            order={order}
            quote={quote}
            typeName={typeName}
            isRefused={isExpired(execute.error)}
            isRunning={isRunning}
            onAsk={() => void ask.run()}
            onOther={() => setQuote(null)}
            onExecute={() => void execute.run()}
          />
        ) : (
          <>
            <Button onClick={onClose} disabled={isRunning}>
              {text.keep}
            </Button>
            <Button
              kind="primary"
              isBusy={isRunning}
              disabled={ids.size === 0}
              onClick={() => void ask.run()}
            >
              {text.ask(ids.size)}
            </Button>
          </>
        )
      }
    >
      <UnsavedGuard
        hasUnsaved={() => false}
        isRunning={execute.isRunning}
        hasFailed={execute.error !== null}
      />
      {page ? (
        <p role="status" className="flex flex-col gap-2">
          {text.awaiting}
          <a
            href={page}
            target="_blank"
            rel="noreferrer"
            className="text-accent-ink underline wrap-anywhere"
          >
            {page}
          </a>
        </p>
      ) : quote ? (
        <ChangeQuote order={order} people={people} quote={quote} />
      ) : (
        <div className="flex flex-col gap-4">
          <label className="flex flex-col gap-1 text-sm font-medium">
            {text.what}
            <select
              className="control w-full max-w-96"
              value={typeId}
              onChange={(event) => setTypeId(event.target.value)}
            >
              <option value="">{text.cancel}</option>
              {types
                .filter(({ status }) => status === 'open')
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {text.changeTo(name)}
                  </option>
                ))}
            </select>
          </label>
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">{text.who}</legend>
            {people.map((person) => (
              <label
                key={person.id}
                className="flex min-h-9 items-center gap-2.5 rounded-md px-1 hover:bg-hover touch:min-h-11"
              >
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-accent touch:size-6"
                  checked={ids.has(person.id)}
                  onChange={(event) =>
                    setIds((before) => {
                      const after = new Set(before);
                      if (event.target.checked) after.add(person.id);
                      else after.delete(person.id);
                      return after;
                    })
                  }
                />
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {nameOf(person)}, {person.itemName}
                </span>
              </label>
            ))}
          </fieldset>
        </div>
      )}
      {ask.error && <ErrorNote error={ask.error} />}
      {execute.error && !isExpired(execute.error) && <ErrorNote error={execute.error} />}
    </Dialog>
  );
}

/** Executes a quote while it is valid, afterwards asks for another one. */
function QuoteActions({
  order,
  quote,
  typeName,
  isRefused,
  isRunning,
  onAsk,
  onOther,
  onExecute,
}: {
  order: FoundOrder;
  quote: OrderChange['quote'];
  /** The new ticket type, or null if seats are cancelled. */
  typeName: string | null;
  isRefused: boolean;
  isRunning: boolean;
  onAsk: () => void;
  onOther: () => void;
  onExecute: () => void;
}) {
  const remaining = useRemaining(quote.expiresAt);
  const isOver = remaining === null || isRefused;
  return (
    <>
      <p
        role={isOver ? 'alert' : 'timer'}
        className={`mr-auto self-center ${isOver ? 'text-red' : 'text-muted'}`}
      >
        {isOver ? text.expired : text.valid(remaining)}
      </p>
      <Button onClick={onOther} disabled={isRunning}>
        {text.other}
      </Button>
      {isOver ? (
        <Button kind="primary" isBusy={isRunning} onClick={onAsk}>
          {text.again}
        </Button>
      ) : (
        <Button
          kind={typeName === null ? 'danger' : 'primary'}
          isBusy={isRunning}
          onClick={onExecute}
        >
          {text.confirm(
            quote.lines.length,
            quote.refund > 0 ? formatMoney(quote.refund, order.currency) : null,
            quote.amountToPay > 0 ? formatMoney(quote.amountToPay, order.currency) : null,
            typeName,
          )}
        </Button>
      )}
    </>
  );
}
