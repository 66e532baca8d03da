import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Form, RefundPolicy } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader, Section } from '../../components/ui/surface.tsx';
import { formPageText as text } from '../../text/settings.ts';
import { toEdited } from './form.rules.ts';
import { Policy, ReadPolicy } from './policy.tsx';
import { Preview } from './preview.tsx';
import { Questions } from './questions.tsx';

/**
 * The questions to buyers, and what is promised about refunds. A role that may not change them
 * reads them, and so does everybody once the event is archived.
 */
export function FormPage() {
  const path = useEventPath();
  const form = useRead<Form>(`${path}/form`);
  const policy = useRead<{ policy: RefundPolicy }>(`${path}/refund-policy`);
  const isArchived = useEvent().status === 'archived';
  const mayDesign = usePermission('design') && !isArchived;
  const mayPromise = usePermission('policy') && !isArchived;
  return (
    <>
      <PageHeader title={text.title} />
      {isArchived && <p className="mb-4 text-muted">{text.readOnly}</p>}
      <div className="flex flex-col gap-4">
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
      <Preview questions={questions.map(toEdited)} />
    </Section>
  );
}
