import { keyGroups } from '@event-api/contracts/permissions';
import { useRead } from '../../api/api.queries.ts';
import type { Event } from '../../api/records.ts';
import { useZone } from '../../api/unit.ts';
import { CheckboxListField } from '../../components/form/choice-fields.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { keysText as text } from '../../text/keys.ts';

const maxEvents = 20;

const groups = keyGroups.map((value) => ({ value, ...text.groups[value] }));

export const NameField = () => (
  <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
);

export const ExpiryField = () => (
  <DateTimeField name="expiresAt" label={text.expiresAt} help={text.expiresHelp} zone={useZone()} />
);

/** What a restricted key permits, and its only events. */
export function RestrictionFields() {
  const events = useRead<{ events: Event[] }>('v1/events', { limit: 100 });
  const choices = (events.data?.events ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <CheckboxListField
        name="groups"
        label={text.groupsLabel}
        choices={groups}
        required
        minItems={1}
      />
      {choices.length > 0 && (
        <CheckboxListField
          name="eventIds"
          label={text.eventsLabel}
          help={text.eventsHelp}
          choices={choices}
          maxItems={maxEvents}
        />
      )}
    </>
  );
}
