import { useSend } from '../../api/actions.ts';
import { useEventPath } from '../../api/event-data.ts';
import { useRead } from '../../api/queries.ts';
import type { Form, RefundPolicy } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextAreaField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import { Questions } from './questions.tsx';

/** What buyers are asked, and what is promised about refunds. */
export function FormPage() {
  const path = useEventPath();
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const error = form.error ?? policy.error;
  return (
    <>
      <PageHeader title={text.title} />
      {error && <ErrorNote error={error} />}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        {form.data ? <Questions form={form.data} /> : <SkeletonRows count={4} />}
        {policy.data && <Policy policy={policy.data.policy} />}
      </div>
    </>
  );
}

function Policy({ policy }: { policy: RefundPolicy }) {
  const event = useEvent();
  const send = useSend();
  const toast = useToast();
  const initial = { text: policy?.text ?? '', refundableUntil: policy?.refundableUntil ?? null };
  const form = useRecordForm(initial, async (values) => {
    await send({ command: 'refundPolicy.set', input: { eventId: event.id, ...values } });
    toast(text.savedPolicy);
  });
  return (
    <Section title={text.policy} description={text.policyText}>
      <RecordForm form={form} submitLabel={common.save}>
        <TextAreaField name="text" label={text.policyField} required maxLength={2000} rows={5} />
        <DateTimeField name="refundableUntil" label={text.until} zone={event.timezone} />
      </RecordForm>
    </Section>
  );
}
