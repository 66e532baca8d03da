import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useAction, useSend } from '../../api/actions.ts';
import { useVenues } from '../../api/event-data.ts';
import type { Exhibitor, Venue } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { exhibitorsText as text } from '../../text/exhibitors.ts';

/** The booths of a company. */
export function BoothSection({ exhibitor }: { exhibitor: Exhibitor }) {
  const mayWrite = usePermission('design');
  const venues = useVenues().data?.venues ?? [];
  const [isAdding, setAdding] = useState(false);
  const roomOf = new Map(venues.map(({ id, name }) => [id, name]));
  return (
    <Section
      title={text.booths}
      actions={
        mayWrite && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {text.addBooth}
          </Button>
        )
      }
    >
      {exhibitor.booths.length === 0 && <p className="text-muted">{text.noBooths}</p>}
      <ul className="flex flex-col gap-1">
        {exhibitor.booths.map((booth) => (
          <BoothRow
            key={booth.id}
            booth={booth}
            room={roomOf.get(booth.venueId ?? '')}
            exhibitor={exhibitor}
          />
        ))}
      </ul>
      {isAdding && (
        <BoothDialog exhibitor={exhibitor} venues={venues} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}

function BoothRow({
  booth: { id, number, type },
  room,
  exhibitor,
}: {
  booth: Exhibitor['booths'][number];
  room: string | undefined;
  exhibitor: Exhibitor;
}) {
  const event = useEvent();
  const mayWrite = usePermission('design');
  const toast = useToast();
  const action = useAction(() => toast(text.released(number)));
  const input = { eventId: event.id, exhibitorId: exhibitor.id, boothId: id };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{number}</span>{' '}
        <span className="text-muted">{[type, room].filter(Boolean).join(' · ')}</span>
      </span>
      {mayWrite && (
        <IconButton
          icon={X}
          label={text.release(number)}
          onClick={() => void action.run({ command: 'exhibitor.releaseBooth', input })}
        />
      )}
      {action.error && <ErrorNote error={action.error} />}
    </li>
  );
}

function BoothDialog({
  exhibitor,
  venues,
  onClose,
}: {
  exhibitor: Exhibitor;
  venues: readonly Venue[];
  onClose: () => void;
}) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const words = text.boothFields;
  const initial = { number: '', type: '', venueId: null as string | null };
  const form = useRecordForm(initial, async (values) => {
    const input = { eventId: event.id, exhibitorId: exhibitor.id, ...values };
    await send({ command: 'exhibitor.allocateBooth', input });
    toast(text.allocated(values.number));
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.addBooth}>
      <RecordForm form={form} submitLabel={text.allocate} isInDialog>
        <TextField
          name="number"
          label={words.number}
          help={words.numberHelp}
          required
          maxLength={200}
        />
        <TextField name="type" label={words.type} help={words.typeHelp} required maxLength={200} />
        <SelectField
          name="venueId"
          label={words.room}
          choices={venues.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </RecordForm>
    </Dialog>
  );
}
