import { useStore } from '@tanstack/react-form';
import { useSend } from '../../api/actions.ts';
import { useRead } from '../../api/queries.ts';
import type { Event } from '../../api/records.ts';
import { CheckboxField, CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { viewerZone } from '../../format/time.ts';
import { keysText as text } from '../../text/keys.ts';
import { inputOf, type KeyValues } from './rules.ts';

const maxEvents = 20;

const groups = Object.entries(text.groups).map(([value, words]) => ({ value, ...words }));

/** Creates a key: unrestricted, or for some purposes and events only. */
export function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const send = useSend();
  const form = useRecordForm<KeyValues>(
    { name: '', expiresAt: null, isRestricted: false, groups: [], eventIds: [] },
    async (values) => {
      const input = inputOf(values);
      const { secret } = await send<{ secret: string }>({ command: 'key.create', input });
      onCreated(secret);
    },
  );
  const isRestricted = useStore(form.api.store, ({ values }) => values.isRestricted === true);
  return (
    <Dialog isOpen onClose={onClose} title={text.create}>
      <RecordForm form={form} submitLabel={text.createButton} isInDialog>
        <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
        <CheckboxField name="isRestricted" label={text.restrict} help={text.restrictHelp} />
        {isRestricted && <Restrictions />}
        <DateTimeField
          name="expiresAt"
          label={text.expiresAt}
          help={text.expiresHelp}
          zone={viewerZone()}
        />
      </RecordForm>
    </Dialog>
  );
}

function Restrictions() {
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
