import {
  defaultMaxHoldsPerEmail,
  defaultWaitlistOfferMinutes,
} from '@event-api/contracts/event-limit-defaults';
import { useStore } from '@tanstack/react-form';
import type { ReactNode } from 'react';
import { useSend, useSubmission } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { DoorRules, EventLimits } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { CheckboxField, SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import {
  DateTimeField,
  NumberField,
  TextAreaField,
  TextField,
} from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { ZoneField } from '../../components/form/zone-field.tsx';
import { ErrorNote } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { settingsText as text } from '../../text/settings.ts';
import { CapacityGroups } from './capacity-groups.tsx';
import { ResetQuestion, useResetQuestion } from './reset-question.tsx';
import { movesStartDay, type Settings, settingsOf, writesOf } from './settings.rules.ts';

const choicesOf = (values: readonly string[]) =>
  [...new Set(values)].map((value) => ({ value, label: value }));

/** The settings of one service: read, or the error. */
interface ReadGroup<T> {
  data: T | undefined;
  error: Error | null;
  refetch(): Promise<unknown>;
}

/**
 * All settings in one form. Each change goes to the service that owns it; a group whose service
 * does not respond says so, and the others can be saved. Of a cancelled event they are only shown.
 */
export function SettingsForm({
  limits,
  doorRules,
}: {
  limits: ReadGroup<EventLimits>;
  doorRules: ReadGroup<DoorRules>;
}) {
  const event = useEvent();
  const path = useEventPath();
  const submit = useSubmission(useSend());
  const toast = useToast();
  const reset = useResetQuestion();
  const clearsAgenda = (changed: Partial<Settings>) =>
    movesStartDay(event, { ...event, ...changed });
  const form = useRecordForm<Settings>(
    settingsOf(event, { limits: limits.data, doorRules: doorRules.data }),
    async (_, changed) => {
      const writes = writesOf(changed, {
        eventId: event.id,
        path,
        clearsAgenda: clearsAgenda(changed),
      });
      await submit(async (once) => {
        for (const write of writes) await once(write);
      });
      toast(text.saved);
    },
    { confirm: async (changed) => !clearsAgenda(changed) || (await reset.confirmReset()) },
  );
  const zone = useStore(form.api.store, ({ values }) => String(values.timezone));
  return (
    <>
      <RecordForm form={form} submitLabel={common.save} isReadOnly={event.cancelledAt !== null}>
        <Group {...text.groups.event}>
          <TextField name="name" label={text.name} required maxLength={200} />
          <SelectField
            name="currency"
            label={text.currency}
            help={text.currencyHelp}
            required
            choices={choicesOf([event.currency, ...Intl.supportedValuesOf('currency')])}
          />
        </Group>
        <Group {...text.groups.dates}>
          <ZoneField
            name="timezone"
            label={text.timezone}
            first={event.timezone}
            times={['startsAt', 'endsAt', 'admissionOpensAt', 'admissionClosesAt']}
          />
          <DateTimeField name="startsAt" label={text.startsAt} zone={zone} />
          <DateTimeField name="endsAt" label={text.endsAt} zone={zone} />
        </Group>
        <Group {...text.groups.sale}>
          <CapacityGroups form={form} />
          {limits.data ? <SaleFields /> : <Unreadable read={limits} />}
        </Group>
        <Group {...text.groups.doors}>
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
          {doorRules.data ? (
            <CheckboxField
              name="refuseIfFormerInside"
              label={text.refuseIfFormerInside}
              help={text.refuseIfFormerInsideHelp}
            />
          ) : (
            <Unreadable read={doorRules} />
          )}
        </Group>
        <Group {...text.groups.features}>
          <TextAreaField
            name="features"
            label={text.features}
            help={text.featuresHelp}
            rows={2}
            hasUniqueLines
          />
        </Group>
      </RecordForm>
      {reset.question && <ResetQuestion question={reset.question} />}
    </>
  );
}

function SaleFields() {
  return (
    <>
      <NumberField
        name="maxSeatsPerEmail"
        label={text.maxSeatsPerEmail}
        help={text.maxSeatsHelp}
        minimum={1}
        maximum={1_000_000}
      />
      <NumberField
        name="maxHoldsPerEmail"
        label={text.maxHoldsPerEmail}
        help={text.maxHoldsHelp(defaultMaxHoldsPerEmail)}
        minimum={1}
        maximum={1000}
      />
      <NumberField
        name="waitlistOfferMinutes"
        label={text.waitlistOfferMinutes}
        help={text.waitlistOfferHelp(defaultWaitlistOfferMinutes / 60)}
        minimum={1}
        maximum={30 * 24 * 60}
      />
    </>
  );
}

/** A group whose service does not respond. */
const Unreadable = ({ read }: { read: ReadGroup<unknown> }) => (
  <div className="flex flex-col gap-2">
    <p className="text-muted">{text.unreadable}</p>
    {read.error && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
  </div>
);

/** Fields that belong together: what they are about, beside them where there is room. */
function Group({
  title,
  text: about,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="grid gap-x-8 gap-y-3 border-b border-line pb-6 last-of-type:border-0 last-of-type:pb-0 md:grid-cols-[14rem_1fr]">
      <legend className="sr-only">{title}</legend>
      <div aria-hidden>
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-muted">{about}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </fieldset>
  );
}
