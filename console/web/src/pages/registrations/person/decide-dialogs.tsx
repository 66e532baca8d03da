import { useRun } from '../../../api/actions.ts';
import type { Registration } from '../../../api/records.ts';
import { useEvent } from '../../../api/unit.ts';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { TextField } from '../../../components/form/text-fields.tsx';
import { useRecordForm } from '../../../components/form/use-record-form.ts';
import { DangerDialog } from '../../../components/ui/danger-dialog.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';
import { ChangedNote } from './changed-note.tsx';
import { decidedOn } from './person.rules.ts';
import { useOnSeen } from './use-person-update.ts';

interface Props {
  person: Registration;
  name: string;
  path: string;
  onClose: () => void;
}

/** Rejects a person who waits for an approval. */
export function RejectDialog(props: Props) {
  return (
    <EndDialog
      {...props}
      verb="reject"
      title={text.rejectTitle(props.name)}
      consequence={text.rejectText}
      confirmLabel={text.rejectConfirm(props.name)}
    />
  );
}

/** Rejects or cancels a person as the operator has seen them. */
export function EndDialog({
  person,
  path,
  verb,
  onClose,
  ...words
}: Omit<Props, 'name'> & {
  verb: 'reject' | 'cancel';
  title: string;
  consequence: string;
  confirmLabel: string;
}) {
  const toast = useToast();
  const { changes, write } = useOnSeen(person, path);
  const action = useRun(async () => {
    await write((seen) => ({
      method: 'POST',
      path: `${path}/${verb}`,
      body: { expected: decidedOn(seen) },
    }));
    toast(text.actions[verb]);
    onClose();
  });
  return (
    <DangerDialog
      isOpen
      onClose={onClose}
      {...words}
      onConfirm={() => void action.run()}
      isRunning={action.isRunning}
      error={action.error}
    >
      <ChangedNote changes={changes} isDecision />
    </DangerDialog>
  );
}

/** Confirms a person who waits, without a payment. */
export function ConfirmDialog({ person, name, path, onClose }: Props) {
  const toast = useToast();
  const eventId = useEvent().id;
  const { changes, write } = useOnSeen(person, path);
  const form = useRecordForm({ reason: '' }, async ({ reason }) => {
    await write((seen) => ({
      command: 'registration.confirm',
      input: {
        eventId,
        registrationId: person.id,
        reason: reason.trim() === '' ? null : reason,
        expected: decidedOn(seen),
      },
    }));
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
        <ChangedNote changes={changes} isDecision />
        <TextField name="reason" label={personText.confirmReason} maxLength={500} />
      </RecordForm>
    </Dialog>
  );
}
