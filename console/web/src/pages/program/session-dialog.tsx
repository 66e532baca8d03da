import { useSend } from '../../api/actions.ts';
import type { Session } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxListField, SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { dayOf } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { programText as text } from '../../text/program.ts';
import { DeleteAction } from './delete-action.tsx';
import type { Program } from './program-data.ts';
import { timesOfNew } from './rules.ts';

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
    <Dialog isOpen onClose={onClose} title={session ? text.edit(session.title) : text.addSession}>
      <RecordForm
        form={form}
        submitLabel={session ? common.save : text.createSession}
        isInDialog
        extraAction={
          session && (
            <DeleteAction
              name={session.title}
              consequence={text.removeSession}
              command="session.delete"
              input={{ sessionId: session.id }}
              onDone={onClose}
            />
          )
        }
      >
        <TextField name="title" label={words.title} required maxLength={200} />
        <DateTimeField name="startsAt" label={words.startsAt} required zone={event.timezone} />
        <DateTimeField name="endsAt" label={words.endsAt} required zone={event.timezone} />
        <SelectField
          name="venueId"
          label={words.room}
          choices={program.venues.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {program.perks.length > 0 && (
          <CheckboxListField
            name="perkIds"
            label={words.gate}
            help={words.gateHelp}
            choices={program.perks.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <TextAreaField name="description" label={words.description} maxLength={2000} rows={2} />
      </RecordForm>
    </Dialog>
  );
}
