import { useSend } from '../../api/actions.ts';
import type { Perk } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { perksText as text } from '../../text/perks.ts';

export function PerkDialog({ onClose }: { onClose: () => void }) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm({ name: '', description: '' }, async ({ name, description }) => {
    const input = { eventId: event.id, name, description: description || null };
    await send<Perk>({ command: 'perk.create', input });
    toast(text.created(name));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.add}>
      <RecordForm form={form} submitLabel={text.create} isInDialog>
        <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
        <TextAreaField name="description" label={text.perkDescription} maxLength={2000} rows={2} />
      </RecordForm>
    </Dialog>
  );
}
