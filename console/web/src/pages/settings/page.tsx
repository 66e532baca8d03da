import { useStore } from '@tanstack/react-form';
import { useState } from 'react';
import { useAction, useSend } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Event } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { ZoneField } from '../../components/form/zone-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { settingsText as text } from '../../text/settings.ts';
import { ResetQuestion, useResetQuestion } from './reset-question.tsx';
import { movesStartDay } from './settings.rules.ts';

interface Settings {
  name: string;
  timezone: string;
  currency: string;
  startsAt: string | null;
  endsAt: string | null;
  admissionOpensAt: string | null;
  admissionClosesAt: string | null;
}

const settingsOf = ({
  name,
  timezone,
  currency,
  startsAt,
  endsAt,
  admissionOpensAt,
  admissionClosesAt,
}: Event): Settings => ({
  name,
  timezone,
  currency,
  startsAt,
  endsAt,
  admissionOpensAt,
  admissionClosesAt,
});

const choicesOf = (values: readonly string[]) =>
  [...new Set(values)].map((value) => ({ value, label: value }));

/** The data of the event itself, and its end. */
export function SettingsPage() {
  const event = useEvent();
  const path = useEventPath();
  const send = useSend();
  const toast = useToast();
  const reset = useResetQuestion();
  const clearsAgenda = (changed: Partial<Settings>) =>
    movesStartDay(event, { ...event, ...changed });
  const form = useRecordForm<Settings>(
    settingsOf(event),
    async (_, changed) => {
      const body = { ...changed, ...(clearsAgenda(changed) && { confirmAgendaReset: true }) };
      await send<Event>({ method: 'PATCH', path, body });
      toast(text.saved);
    },
    { confirm: async (changed) => !clearsAgenda(changed) || (await reset.confirmReset()) },
  );
  const zone = useStore(form.api.store, ({ values }) => String(values.timezone));
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-4">
      <PageHeader title={text.title} />
      <Section>
        <RecordForm form={form} submitLabel={common.save}>
          <TextField name="name" label={text.name} required maxLength={200} />
          <ZoneField
            name="timezone"
            label={text.timezone}
            first={event.timezone}
            times={['startsAt', 'endsAt', 'admissionOpensAt', 'admissionClosesAt']}
          />
          <SelectField
            name="currency"
            label={text.currency}
            help={text.currencyHelp}
            required
            choices={choicesOf([event.currency, ...Intl.supportedValuesOf('currency')])}
          />
          <DateTimeField name="startsAt" label={text.startsAt} zone={zone} />
          <DateTimeField name="endsAt" label={text.endsAt} zone={zone} />
          <DateTimeField
            name="admissionOpensAt"
            label={text.admissionOpensAt}
            help={text.admissionHelp}
            zone={zone}
          />
          <DateTimeField
            name="admissionClosesAt"
            label={text.admissionClosesAt}
            help={text.admissionHelp}
            zone={zone}
          />
        </RecordForm>
      </Section>
      {reset.question && <ResetQuestion question={reset.question} />}
      {event.status !== 'archived' && <Archive />}
    </div>
  );
}

function Archive() {
  const event = useEvent();
  const path = useEventPath();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const action = useAction(() => {
    setOpen(false);
    toast(text.archived);
  });
  return (
    <Section title={text.archive} description={text.archiveText}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {text.archive}
      </Button>
      <DangerDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={text.archiveTitle(event.name)}
        consequence={text.archiveText}
        confirmLabel={text.archiveConfirm(event.name)}
        onConfirm={() => void action.run({ method: 'POST', path: `${path}/archive` })}
        isRunning={action.isRunning}
        error={action.error}
        {...(event.status === 'published' && { typedName: event.name })}
      />
    </Section>
  );
}
