import { useSend } from '../../api/actions.ts';
import type { Venue } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import { DeleteAction } from './delete-action.tsx';
import type { Program } from './program-data.ts';

const words = text.fields;

/** Creates, changes or deletes a room. */
export function RoomDialog({
  room,
  program,
  onClose,
}: {
  room: Venue | null;
  program: Program;
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const initial = {
    name: room?.name ?? '',
    description: room?.description ?? '',
    perkIds: room?.perkIds ?? [],
  };
  const form = useRecordForm(initial, async (values) => {
    const input = { eventId: event.id, ...values, description: values.description || null };
    if (room) await send({ command: 'venue.update', input: { ...input, venueId: room.id } });
    else await send({ command: 'venue.create', input });
    toast(room ? text.saved(values.name) : text.created(values.name));
    onClose();
  });
  const inRoom = program.sessions.filter(({ venueId }) => venueId === room?.id).length;
  const opensGates = inRoom > 0 && (room?.perkIds.length ?? 0) > 0;
  return (
    <Dialog isOpen onClose={onClose} title={room ? text.edit(room.name) : text.addRoom}>
      <RecordForm
        form={form}
        submitLabel={room ? common.save : text.createRoom}
        isInDialog
        extraAction={
          room && (
            <DeleteAction
              name={room.name}
              consequence={opensGates ? text.removeGatedRoom(inRoom) : text.removeRoom(inRoom)}
              command="venue.delete"
              input={{ venueId: room.id, openGates: opensGates }}
              onDone={onClose}
            />
          )
        }
      >
        <TextField name="name" label={words.name} required maxLength={200} />
        {program.perks.length > 0 && (
          <CheckboxListField
            name="perkIds"
            label={words.gate}
            help={words.roomGateHelp}
            choices={program.perks.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <TextAreaField name="description" label={words.description} maxLength={2000} rows={2} />
      </RecordForm>
    </Dialog>
  );
}
