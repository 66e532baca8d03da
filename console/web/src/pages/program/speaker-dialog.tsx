import { useSend } from '../../api/actions.ts';
import type { Speaker } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxListField } from '../../components/form/choice-fields.tsx';
import { TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { useToast } from '../../components/ui/toast.tsx';
import { formatInstant } from '../../format/time.ts';
import { programText as text } from '../../text/program.ts';
import { inOrderOfTime } from './program.rules.ts';
import type { Program } from './program-data.ts';
import { ProgramDialog } from './program-dialog.tsx';

const words = text.fields;

/** Creates, changes or deletes a speaker. */
export function SpeakerDialog({
  speaker,
  program,
  onClose,
}: {
  speaker: Speaker | null;
  program: Program;
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const initial = {
    name: speaker?.name ?? '',
    title: speaker?.title ?? '',
    bio: speaker?.bio ?? '',
    sessionIds: speaker?.sessionIds ?? [],
  };
  const form = useRecordForm(initial, async ({ name, title, bio, sessionIds }) => {
    const input = { eventId: event.id, name, title: title || null, bio: bio || null, sessionIds };
    if (speaker) {
      await send({ command: 'speaker.update', input: { ...input, speakerId: speaker.id } });
    } else await send({ command: 'speaker.create', input });
    toast(speaker ? text.saved(name) : text.created(name));
    onClose();
  });
  return (
    <ProgramDialog
      form={form}
      existing={
        speaker && {
          name: speaker.name,
          consequence: text.removeSpeaker,
          command: 'speaker.delete',
          input: { speakerId: speaker.id },
        }
      }
      addTitle={text.addSpeaker}
      createLabel={text.createSpeaker}
      onClose={onClose}
    >
      <TextField name="name" label={words.name} required maxLength={200} />
      <TextField name="title" label={words.position} maxLength={200} />
      {program.sessions.length > 0 && (
        <CheckboxListField
          name="sessionIds"
          label={words.sessions}
          choices={inOrderOfTime(program.sessions).map(({ id, title, startsAt }) => ({
            value: id,
            label: title,
            help: formatInstant(startsAt, event.timezone),
          }))}
        />
      )}
      <TextAreaField name="bio" label={words.bio} maxLength={2000} rows={3} />
    </ProgramDialog>
  );
}
