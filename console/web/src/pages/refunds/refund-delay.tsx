import { Timer } from 'lucide-react';
import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import { useCommandRead } from '../../api/api.queries.ts';
import type { RefundDelay } from '../../api/records.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { NumberField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { refundsText } from '../../text/refunds.ts';

const text = refundsText.delay;

/** When money that pays for nothing is returned, and the dialog that changes it. */
export function RefundDelayButton() {
  const { data } = useCommandRead<RefundDelay>('refund.getDelay', {});
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Timer} disabled={!data} onClick={() => setOpen(true)}>
        {text.button(data?.refundAfterHours)}
      </Button>
      {isOpen && data && <DelayDialog delay={data} onClose={() => setOpen(false)} />}
    </>
  );
}

function DelayDialog({ delay, onClose }: { delay: RefundDelay; onClose: () => void }) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm<Pick<RefundDelay, 'refundAfterHours'>>(
    { refundAfterHours: delay.refundAfterHours },
    async ({ refundAfterHours }) => {
      await send({ command: 'refund.setDelay', input: { refundAfterHours } });
      toast(text.saved);
      onClose();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={text.title}>
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <NumberField
          name="refundAfterHours"
          label={text.hours}
          help={text.help}
          minimum={0}
          maximum={90 * 24}
        />
      </RecordForm>
    </Dialog>
  );
}
