import { useSend } from '../../api/actions.ts';
import type { Venue } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { useToast } from '../../components/ui/toast.tsx';
import { programText as text } from '../../text/program.ts';
import type { Program } from './program-data.ts';
import { GateField, ProgramDialog } from './program-dialog.tsx';

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
    <ProgramDialog
      form={form}
      existing={
        room && {
          name: room.name,
          consequence: opensGates ? text.removeGatedRoom(inRoom) : text.removeRoom(inRoom),
          command: 'venue.delete',
          input: { venueId: room.id, openGates: opensGates },
        }
      }
      addTitle={text.addRoom}
      createLabel={text.createRoom}
      onClose={onClose}
    >
      <TextField name="name" label={words.name} required maxLength={200} />
      <GateField perks={program.perks} help={words.roomGateHelp} />
      <TextAreaField name="description" label={words.description} maxLength={2000} rows={2} />
    </ProgramDialog>
  );
}
