import type { ReactNode } from 'react';
import { PolicyWords, type ShownPolicy } from '../../components/ledger/policy-words.tsx';
import { GuideLink } from '../../components/ui/guide-link.tsx';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import type { Question } from './form.rules.ts';

/** Fields beside what a buyer sees of them. */
export const WithPreview = ({ preview, children }: { preview: ReactNode; children: ReactNode }) => (
  <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
    <div className="flex min-w-0 flex-col gap-4">{children}</div>
    <div className="lg:sticky lg:top-18">{preview}</div>
  </div>
);

/** In place of the questions of a form without any. */
export const NoQuestions = () => (
  <div className="flex flex-col items-start gap-2 text-sm">
    <p className="text-muted">{text.noQuestions}</p>
    <GuideLink guide="running-an-event#form-and-refund-policy" />
  </div>
);

/** What a buyer sees, as on a sheet of paper. */
const Sheet = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="rounded-md border border-line bg-subtle p-4 text-sm">
    <h3 className="text-xs font-medium text-muted">{label}</h3>
    <div className="mt-3 rounded-md border border-line bg-surface p-4 shadow-sm">{children}</div>
  </section>
);

/** What every buyer is asked. */
const always: readonly Question[] = [
  { id: '', label: text.fixedQuestions.email, type: 'text', required: true, options: '' },
  { id: '', label: text.fixedQuestions.name, type: 'text', required: false, options: '' },
];

/** The questions as a buyer sees them. Nothing can be entered here. */
export const Preview = ({ questions }: { questions: readonly Question[] }) => (
  <Sheet label={text.preview}>
    <ul className="flex flex-col gap-3">
      {[...always, ...questions].map((question, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is only shown
        <li key={index}>
          <span className="mb-1 block font-medium">
            {question.label || text.label}
            {!question.required && (
              <span className="font-normal text-muted"> ({common.optional})</span>
            )}
          </span>
          <Control {...question} />
        </li>
      ))}
    </ul>
  </Sheet>
);

function Control({ label, type, options }: Question) {
  const name = `${text.preview}: ${label || text.label}`;
  if (type === 'boolean') return <input type="checkbox" aria-label={name} disabled />;
  if (type !== 'choice') {
    return <input type={type} className="control w-full" aria-label={name} disabled />;
  }
  return (
    <select className="control w-full" aria-label={name}>
      {options
        .split('\n')
        .map((option) => option.trim())
        .filter(Boolean)
        .map((option) => (
          <option key={option}>{option}</option>
        ))}
    </select>
  );
}

/** The refund policy as a buyer sees it. */
export const PolicyPreview = (policy: ShownPolicy) => (
  <Sheet label={text.policyPreview}>
    <PolicyWords {...policy} />
  </Sheet>
);
