import type { Order } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { Button, ButtonLink } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { newOrderText as text } from '../../text/new-order.ts';

/** What became of a new order. */
export type Placed =
  | { outcome: 'placed'; order: Order }
  /** The buyer has a registration in the event, and a ticket of the order was for the buyer. */
  | { outcome: 'registered'; email: string; registrationId: string };

/** Says what became of a new order, with the link to pay it. */
export function PlacedDialog({
  placed,
  onClose,
  onAnother,
}: {
  placed: Placed;
  onClose: () => void;
  onAnother: () => void;
}) {
  const unit = useUnit();
  const event = useEvent();
  const isPlaced = placed.outcome === 'placed';
  const href = isPlaced
    ? paths.order(unit.id, event.id, placed.order.id)
    : paths.registration(unit.id, event.id, placed.registrationId);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isPlaced ? text.placed(placed.order.orderNumber) : text.already(placed.email)}
      footer={
        <>
          <ButtonLink kind="quiet" href={href} onClick={onClose}>
            {isPlaced ? text.openOrder : text.openPerson}
          </ButtonLink>
          <Button onClick={onAnother}>{text.another}</Button>
          <Button kind="primary" onClick={onClose}>
            {common.done}
          </Button>
        </>
      }
    >
      {isPlaced && <Payment order={placed.order} />}
    </Dialog>
  );
}

function Payment({ order: { paymentUrl, totalAmount, currency } }: { order: Order }) {
  if (paymentUrl === null) return <p>{text.confirmed}</p>;
  return (
    <div className="flex flex-col gap-2">
      <p>{text.toPay(formatMoney(totalAmount, currency))}</p>
      <CopyText text={paymentUrl} label={text.copyLink} />
    </div>
  );
}
