import { useForm } from '../../api/event-data.ts';

/**
 * The answers to the form of the event, each with the label of its question. A question that was
 * removed has only its id.
 */
export function Answers({ responses }: { responses: Record<string, unknown> }) {
  const form = useForm();
  const labels = new Map(form.data?.questions.map(({ id, label }) => [id, label]));
  return (
    <ul>
      {Object.entries(responses).map(([id, answer]) => (
        <li key={id}>
          {labels.get(id) ?? id}: {Array.isArray(answer) ? answer.join(', ') : String(answer)}
        </li>
      ))}
    </ul>
  );
}
