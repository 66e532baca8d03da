import { useStore } from '@tanstack/react-form';
import { useNavigate } from '@tanstack/react-router';
import { useSend } from '../../api/actions.ts';
import type { Event } from '../../api/records.ts';
import { useUnit, useZone } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { ZoneField } from '../../components/form/zone-field.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { paths } from '../../format/paths.ts';
import { viewerZone } from '../../format/time.ts';
import { eventsText } from '../../text/events.ts';

interface NewEvent {
  name: string;
  timezone: string;
  startsAt: string | null;
  endsAt: string | null;
}

const initialIn = (timezone: string): NewEvent => ({
  name: '',
  timezone,
  startsAt: null,
  endsAt: null,
});

export function NewEventPage() {
  const unit = useUnit();
  const send = useSend();
  const toast = useToast();
  const navigate = useNavigate();
  const form = useRecordForm<NewEvent>(initialIn(useZone()), async (values) => {
    const event = await send<Event>({ method: 'POST', path: 'v1/events', body: values });
    toast(eventsText.created(event.name));
    await navigate({ to: paths.event(unit.id, event.id), ignoreBlocker: true });
  });
  const zone = useStore(form.api.store, (state) => String(state.values.timezone ?? 'UTC'));
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader title={eventsText.newTitle} description={eventsText.newText} />
      <Section>
        <RecordForm form={form} submitLabel={eventsText.createButton}>
          <TextField name="name" label={eventsText.name} required maxLength={200} />
          <ZoneField
            name="timezone"
            label={eventsText.timezone}
            help={eventsText.timezoneHelp}
            first={viewerZone()}
            times={['startsAt', 'endsAt']}
          />
          <DateTimeField name="startsAt" label={eventsText.startsAt} zone={zone} />
          <DateTimeField name="endsAt" label={eventsText.endsAt} zone={zone} />
        </RecordForm>
      </Section>
    </div>
  );
}
