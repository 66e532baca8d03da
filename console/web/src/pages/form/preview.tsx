import { GuideLink } from '../../components/ui/guide-link.tsx';
import { common } from '../../text/common.ts';
import { formPageText as text } from '../../text/settings.ts';
import type { Question } from './form.rules.ts';

/** In place of the questions of a form without any. */
export const NoQuestions = () => (
  <div className="flex flex-col items-start gap-2 text-sm">
    <p className="text-muted">{text.noQuestions}</p>
    <GuideLink guide="running-an-event#form-and-refund-policy" />
  </div>
);

/** The questions as a buyer sees them. Nothing can be entered here. */
export function Preview({ questions }: { questions: readonly Question[] }) {
  if (questions.length === 0) return null;
  return (
    <section aria-label={text.preview} className="rounded-md bg-subtle p-3 text-sm">
      <h3 className="font-medium">{text.preview}</h3>
      <ul className="mt-2 flex flex-col gap-3">
        {questions.map((question, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is only shown
          <li key={index}>
            <span className="mb-1 block">
              {question.label || text.label}
              {question.required ? ' *' : ` (${common.optional})`}
            </span>
            <Control {...question} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Control({ label, type, options }: Question) {
  const name = `${text.preview}: ${label || text.label}`;
  if (type === 'boolean') return <input type="checkbox" aria-label={name} disabled />;
  if (type !== 'choice') {
    return <input type={type} className="control w-full max-w-80" aria-label={name} disabled />;
  }
  return (
    <select className="control w-full max-w-80" aria-label={name}>
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
