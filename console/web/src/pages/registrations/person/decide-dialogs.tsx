import { useAction, useSend } from '../../../api/actions.ts';
import { useEvent } from '../../../api/unit.ts';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { TextField } from '../../../components/form/text-fields.tsx';
import { useRecordForm } from '../../../components/form/use-record-form.ts';
import { DangerDialog } from '../../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';

interface Props {
  name: string;
  onClose: () => void;
}

/** Rejects a person who waits for an approval. */
export function RejectDialog({ name, path, onClose }: Props & { path: string }) {
  const toast = useToast();
  const action = useAction(() => {
    toast(text.actions.reject);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      title={text.rejectTitle(name)}
      consequence={text.rejectText}
      confirmLabel={text.rejectConfirm(name)}
      onConfirm={() => void action.run({ method: 'POST', path: `${path}/reject` })}
      isRunning={action.isRunning}
      error={action.error}
    />
  );
}

/** Confirms a person who waits, without a payment. */
export function ConfirmDialog({ name, id, onClose }: Props & { id: string }) {
  const send = useSend();
  const toast = useToast();
  const eventId = useEvent().id;
  const form = useRecordForm({ reason: '' }, async ({ reason }) => {
    const input = { eventId, registrationId: id, reason: reason.trim() === '' ? null : reason };
    await send({ command: 'registration.confirm', input });
    toast(personText.confirmed(name));
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={personText.confirmTitle(name)}
      description={personText.confirmText}
    >
      <RecordForm form={form} submitLabel={personText.confirmSubmit(name)} isInDialog>
        <TextField name="reason" label={personText.confirmReason} maxLength={500} />
      </RecordForm>
    </Dialog>
  );
}
