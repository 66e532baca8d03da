import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSend } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Form, RefundPolicy } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { RecordForm } from '../../components/form/record-form.tsx';
import { DateTimeField, TextAreaField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { formatInstant } from '../../format/time.ts';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import { toEdited } from './form.rules.ts';
import { NoQuestions, Preview } from './preview.tsx';
import { Questions } from './questions.tsx';

/**
 * The questions to buyers, and what is promised about refunds. A role that may not change them
 * reads them.
 */
export function FormPage() {
  const path = useEventPath();
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const [mayDesign, mayPromise] = [usePermission('design'), usePermission('policy')];
  return (
    <>
      <PageHeader title={text.title} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Part read={form}>
          {(data) => (mayDesign ? <Questions form={data} /> : <ReadQuestions form={data} />)}
        </Part>
        {/* Below the form on a phone, which would move it. */}
        {!form.isPending && (
          <Part read={policy}>
            {(data) =>
              mayPromise ? <Policy policy={data.policy} /> : <ReadPolicy policy={data.policy} />
            }
          </Part>
        )}
      </div>
    </>
  );
}

/** A part of the page, or why it cannot be shown. */
function Part<T>({
  read,
  children,
}: {
  read: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.error) return <ErrorNote error={read.error} onRetry={() => void read.refetch()} />;
  return <SkeletonRows count={4} />;
}

function ReadQuestions({ form: { questions } }: { form: Form }) {
  return (
    <Section title={text.form} description={text.formText}>
      {questions.length === 0 && <NoQuestions />}
      <Preview questions={questions.map(toEdited)} />
    </Section>
  );
}

function ReadPolicy({ policy }: { policy: RefundPolicy }) {
  const { timezone } = useEvent();
  return (
    <Section title={text.policy} description={text.policyText}>
      <p className="whitespace-pre-line">{policy?.text || text.noPolicy}</p>
      {policy?.refundableUntil && (
        <p className="mt-2 text-muted">
          {text.until} {formatInstant(policy.refundableUntil, timezone)}
        </p>
      )}
    </Section>
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
