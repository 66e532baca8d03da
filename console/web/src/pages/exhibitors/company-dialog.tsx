import { useSend } from '../../api/actions.ts';
import type { Exhibitor } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';

const words = text.fields;

/** Creates a company or changes its profile. */
export function CompanyDialog({
  exhibitor,
  onClose,
}: {
  exhibitor: Exhibitor | null;
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const initial = {
    name: exhibitor?.name ?? '',
    description: exhibitor?.description ?? '',
    website: exhibitor?.website ?? '',
  };
  const form = useRecordForm(initial, async ({ name, description, website }) => {
    const input = {
      eventId: event.id,
      name,
      description: description || null,
      website: website || null,
    };
    if (exhibitor) {
      await send({ command: 'exhibitor.update', input: { ...input, exhibitorId: exhibitor.id } });
    } else await send({ command: 'exhibitor.create', input });
    toast(exhibitor ? text.saved(name) : text.created(name));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={exhibitor ? text.editTitle(exhibitor.name) : text.add}>
      <RecordForm form={form} submitLabel={exhibitor ? common.save : text.create} isInDialog>
        <TextField name="name" label={words.name} required maxLength={200} />
        <TextField name="website" label={words.website} type="url" maxLength={2000} />
        <TextAreaField name="description" label={words.description} maxLength={2000} />
      </RecordForm>
    </Dialog>
  );
}
