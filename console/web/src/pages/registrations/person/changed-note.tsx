import { useTicketTypes } from '../../../api/event-data.ts';
import type { Registration } from '../../../api/records.ts';
import { answerText, useQuestionLabels } from '../../../components/detail/answers.tsx';
import { common } from '../../../text/common.ts';
import { personText as text } from '../../../text/person.ts';
import { registrationsText } from '../../../text/registrations.ts';
import { statusText } from '../../../text/status.ts';
import type { Difference } from './person.rules.ts';

const labels: Record<string, string> = {
  name: text.name,
  email: common.email,
  status: common.status,
  registrationTypeId: registrationsText.ticket,
};

/** What somebody else has changed while a form or a question was open. */
export function ChangedNote({
  changes,
  isDecision = false,
}: {
  changes: readonly Difference[];
  isDecision?: boolean;
}) {
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const questions = useQuestionLabels();
  if (changes.length === 0) return null;
  const shown = (field: string, value: unknown): string =>
    field === 'registrationTypeId'
      ? (types.find(({ id }) => id === value)?.name ?? common.noValue)
      : field === 'status'
        ? statusText.registration[value as Registration['status']]
        : answerText(value);
  return (
    <div role="status" className="rounded-md bg-amber-soft px-3 py-2 text-amber">
      <p className="font-medium">{text.changedTitle}</p>
      <ul>
        {changes.map(({ field, isAnswer, before, after }) => (
          <li key={field} className="wrap-anywhere">
            {text.changedValue(
              isAnswer ? (questions.get(field) ?? field) : (labels[field] ?? field),
              shown(field, before),
              shown(field, after),
            )}
          </li>
        ))}
      </ul>
      <p>{isDecision ? text.changedDecision : text.changedText}</p>
    </div>
  );
}
