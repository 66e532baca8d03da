import { useStore } from '@tanstack/react-form';
import { useSend } from '../../api/actions.ts';
import type { RefundPolicy } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextAreaField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { toEditedBand } from '../../components/ledger/bands.rules.ts';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import { toBands } from './bands.rules.ts';
import { Bands } from './bands.tsx';
import { PolicyPreview, WithPreview } from './preview.tsx';

const editedOf = (policy: RefundPolicy) => ({
  text: policy?.text ?? '',
  refundableUntil: policy?.refundableUntil ?? null,
  bands: (policy?.bands ?? []).map(toEditedBand),
  automatic: policy?.automatic ?? false,
});

/** What is promised to buyers about refunds. */
export function Policy({ policy }: { policy: RefundPolicy }) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const initial = editedOf(policy);
  const form = useRecordForm(initial, async ({ bands, ...values }) => {
    const input = { eventId: event.id, ...values, bands: toBands(bands) };
    await send({ command: 'refundPolicy.set', input });
    toast(text.savedPolicy);
  });
  const typed = useStore(form.api.store, ({ values }) => values as typeof initial);
  return (
    <Section title={text.policy} description={text.policyText}>
      <RecordForm form={form} submitLabel={common.save}>
        <WithPreview preview={<PolicyPreview {...typed} />}>
          <TextAreaField name="text" label={text.policyField} required maxLength={2000} rows={5} />
          <DateTimeField name="refundableUntil" label={text.until} zone={event.timezone} />
          <Bands form={form} />
        </WithPreview>
      </RecordForm>
    </Section>
  );
}

export const ReadPolicy = ({ policy }: { policy: RefundPolicy }) => (
  <Section title={text.policy} description={text.policyText}>
    <PolicyPreview {...editedOf(policy)} />
  </Section>
);
