import { keyGroups } from '@event-api/contracts/permissions';
import { useStore } from '@tanstack/react-form';
import { useSend } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import type { Event } from '../../api/records.ts';
import { CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { classes } from '../../components/ui/classes.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { viewerZone } from '../../format/time.ts';
import { keysText as text } from '../../text/keys.ts';
import { inputOf, type KeyValues } from './keys.rules.ts';

const maxEvents = 20;

const groups = keyGroups.map((value) => ({ value, ...text.groups[value] }));

/**
 * Creates a key: for the chosen purposes and events only, or an unrestricted one, which the dialog
 * says before.
 */
export function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const send = useSend();
  const form = useRecordForm<KeyValues>(
    { name: '', expiresAt: null, groups: [], eventIds: [] },
    async (values) => {
      const input = { ...inputOf(values) };
      const { secret } = await send<{ secret: string }>({ command: 'key.create', input });
      onCreated(secret);
    },
  );
  const values = useStore(form.api.store, (state) => state.values);
  const { groups: chosen, eventIds } = inputOf(values as unknown as KeyValues);
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm
        form={form}
        submitLabel={chosen ? text.createRestricted : text.createUnrestricted}
        isInDialog
      >
        <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
        <CheckboxListField name="groups" label={text.groupsLabel} choices={groups} />
        {chosen && <EventsField />}
        <DateTimeField
          name="expiresAt"
          label={text.expiresAt}
          help={text.expiresHelp}
          zone={viewerZone()}
        />
        <p
          role="status"
          className={classes(
            'rounded-md px-3 py-2 text-sm',
            chosen ? 'bg-subtle' : 'bg-amber-soft text-amber',
          )}
        >
          {chosen
            ? text.isRestricted(
                groups.filter(({ value }) => chosen.includes(value)).map(({ label }) => label),
                eventIds?.length ?? null,
              )
            : text.isUnrestricted}
        </p>
      </RecordForm>
    </Dialog>
  );
}

/** The only events of a restricted key. */
function EventsField() {
  const events = useRead<{ events: Event[] }>('v1/events', { limit: 100 });
  const choices = (events.data?.events ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (choices.length === 0) return null;
  return (
    <CheckboxListField
      name="eventIds"
      label={text.eventsLabel}
      help={text.eventsHelp}
      choices={choices}
      maxItems={maxEvents}
    />
  );
}
