import { useStore } from '@tanstack/react-form';
import type { Form } from '../../api/records.ts';
import { typedAnswers } from './answers.rules.ts';
import { QuestionField } from './question-field.tsx';
import { useFormOfField } from './use-record-form.ts';

/**
 * The questions of the form. Required ones must be answered as soon as one of them is; `help` says
 * what follows without answers.
 */
export function QuestionFields({
  questions,
  help,
}: {
  questions: Form['questions'];
  help: string;
}) {
  const { api } = useFormOfField();
  const isAnswered = useStore(
    api.store,
    ({ values }) => typedAnswers(questions, values.responses as Record<string, unknown>) !== null,
  );
  if (questions.length === 0) return null;
  return (
    <>
      <p className="text-sm text-muted">{help}</p>
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          isRequired={question.required && isAnswered}
          rows={1}
        />
      ))}
    </>
  );
}
