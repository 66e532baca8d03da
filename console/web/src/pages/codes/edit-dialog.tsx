import { useSend } from '../../api/actions.ts';
import type { RedemptionCode } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, NumberField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { codesText as text } from '../../text/codes.ts';
import { common } from '../../text/common.ts';

const words = text.fields;

/** Changes what may change of a code: how often and how long it can be used, and its label. */
export function EditDialog({
  code: { id, code, label, maxUses, expiresAt },
  onClose,
}: {
  code: RedemptionCode;
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm({ label: label ?? '', maxUses, expiresAt }, async (_, changed) => {
    const input = {
      eventId: event.id,
      redemptionCodeId: id,
      ...changed,
      ...(changed.label !== undefined && { label: changed.label || null }),
    };
    await send({ command: 'code.update', input });
    toast(text.saved(code));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.editTitle(code)} description={text.editText}>
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <NumberField
          name="maxUses"
          label={words.maxUses}
          help={words.maxUsesHelp}
          minimum={1}
          maximum={1_000_000}
        />
        <DateTimeField name="expiresAt" label={words.expiresAt} zone={event.timezone} />
        <TextField name="label" label={words.label} help={words.labelHelp} maxLength={200} />
      </RecordForm>
    </Dialog>
  );
}
