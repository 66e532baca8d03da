import { useSend } from '../../api/actions.ts';
import type { FoundOrder, Order } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { ordersText as text } from '../../text/orders.ts';

/** Corrects the name and the email of the buyer. */
export function BuyerDialog({ order, onClose }: { order: FoundOrder; onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const eventId = useEvent().id;
  const opened = { name: order.name ?? '', email: order.email };
  const form = useRecordForm(opened, async (_, { name, email }) => {
    await send<Order>({
      command: 'order.update',
      input: {
        eventId,
        orderId: order.id,
        ...(name !== undefined && { name: name.trim() === '' ? null : name }),
        ...(email !== undefined && { email }),
      },
    });
    toast(text.buyerSaved);
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.editBuyerTitle(order.orderNumber)}
      description={text.editBuyerText}
    >
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <TextField name="name" label={text.buyerName} maxLength={200} />
        <TextField name="email" label={common.email} type="email" required maxLength={254} />
      </RecordForm>
    </Dialog>
  );
}
