import { useSend } from '../../api/actions.ts';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { DateTimeField, TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { useToast } from '../../components/ui/toast.tsx';
import { dayOf } from '../../format/time.ts';
import { programText as text } from '../../text/program.ts';
import { timesOfNew } from './program.rules.ts';
import type { Program } from './program-data.ts';
import { GateField, ProgramDialog } from './program-dialog.tsx';

const words = text.fields;

/** Creates, changes or deletes a session. A new one is on `day`. */
export function SessionDialog({
  session,
  day,
  program,
  onClose,
}: {
  session: Session | null;
  day: string | undefined;
  program: Program;
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const ofDay = program.sessions.filter(({ startsAt }) => dayOf(startsAt, event.timezone) === day);
  const initial = {
    title: session?.title ?? '',
    description: session?.description ?? '',
    ...(session
      ? { startsAt: session.startsAt as string | null, endsAt: session.endsAt as string | null }
      : timesOfNew(day, ofDay, event)),
    venueId: session?.venueId ?? null,
    perkIds: session?.perkIds ?? [],
  };
  const form = useRecordForm(initial, async (values) => {
    const input = { eventId: event.id, ...values, description: values.description || null };
    if (session)
      await send({ command: 'session.update', input: { ...input, sessionId: session.id } });
    else await send({ command: 'session.create', input });
    toast(session ? text.saved(values.title) : text.created(values.title));
    onClose();
  });
  return (
    <ProgramDialog
      form={form}
      existing={
        session && {
          name: session.title,
          consequence: text.removeSession,
          command: 'session.delete',
          input: { sessionId: session.id },
        }
      }
      addTitle={text.addSession}
      createLabel={text.createSession}
      onClose={onClose}
    >
      <TextField name="title" label={words.title} required maxLength={200} />
      <DateTimeField name="startsAt" label={words.startsAt} required zone={event.timezone} />
      <DateTimeField name="endsAt" label={words.endsAt} required zone={event.timezone} />
      <SelectField
        name="venueId"
        label={words.room}
        choices={program.venues.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <GateField perks={program.perks} help={words.gateHelp} />
      <TextAreaField name="description" label={words.description} maxLength={2000} rows={2} />
    </ProgramDialog>
  );
}
