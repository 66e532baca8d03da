import { useState } from 'react';
import { useSend } from '../../api/actions.ts';
import type { DoorCount } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxField, CheckboxListField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { now } from '../../format/clock.ts';
import { doorsText as text } from '../../text/doors.ts';
import {
  canStayPaired,
  doorName,
  inputOf,
  type NewDevice,
  openDoors,
  type PairValues,
} from './doors.rules.ts';
import { PairingCode } from './pairing-code.tsx';

const maxDoors = 20;

/** Creates a pairing code for a device, and shows it as a QR. */
export function PairDialog({
  doors,
  onClose,
}: {
  doors: readonly DoorCount[];
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const [created, setCreated] = useState<NewDevice | null>(null);
  const choices = openDoors(doors);
  const form = useRecordForm<PairValues>(
    {
      name: '',
      doors: choices.length === 1 ? [event.id] : [],
      showNames: false,
      untilEventEnds: false,
    },
    async (values) => {
      const input = inputOf(values, event.id, choices);
      setCreated(await send<NewDevice>({ command: 'device.pair', input }));
    },
  );
  if (created) return <PairingCode key={created.id} device={created} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={text.pair}>
      <RecordForm form={form} submitLabel={text.pairButton} isInDialog>
        <TextField name="name" label={text.name} help={text.nameHelp} required maxLength={200} />
        <CheckboxListField
          name="doors"
          label={text.doorsLabel}
          help={text.doorsHelp}
          choices={choices.map((door) => ({ value: door.subjectId, label: doorName(door) }))}
          required
          minItems={1}
          maxItems={maxDoors}
        />
        <CheckboxField name="showNames" label={text.showNames} help={text.showNamesHelp} />
        {canStayPaired(event, now()) && (
          <CheckboxField
            name="untilEventEnds"
            label={text.untilEventEnds}
            help={text.untilEventEndsHelp}
          />
        )}
      </RecordForm>
    </Dialog>
  );
}
