import { useForm } from '../../api/event-data.ts';
import { common } from '../../text/common.ts';

/** The labels of the questions by their ids. A question that was removed has none. */
export function useQuestionLabels(): ReadonlyMap<string, string> {
  return new Map(useForm().data?.questions.map(({ id, label }) => [id, label]));
}

/** An answer as a person reads it. */
export function answerText(answer: unknown): string {
  if (answer === null || answer === undefined || answer === '') return common.noValue;
  if (typeof answer === 'boolean') return answer ? common.yes : common.no;
  return Array.isArray(answer) ? answer.map(answerText).join(', ') : String(answer);
}

/**
 * The answers to the form of the event, each with the label of its question. A question that was
 * removed has only its id.
 */
export function Answers({ responses }: { responses: Record<string, unknown> }) {
  const labels = useQuestionLabels();
  return (
    <ul className="flex flex-col gap-1">
      {Object.entries(responses).map(([id, answer]) => (
        <li key={id} className="wrap-anywhere">
          {labels.get(id) ?? id}: {answerText(answer)}
        </li>
      ))}
    </ul>
  );
}
