import { useStore } from '@tanstack/react-form';
import type { Form } from '../../api/records.ts';
import { formText } from '../../text/forms.ts';
import { typedAnswers } from './answers.rules.ts';
import { QuestionField } from './question-field.tsx';
import { useFormOfField } from './use-record-form.ts';

/** The questions of the form. Required ones must be answered as soon as one of them is. */
export function QuestionFields({ questions }: { questions: Form['questions'] }) {
  const { api } = useFormOfField();
  const isAnswered = useStore(
    api.store,
    ({ values }) => typedAnswers(questions, values.responses as Record<string, unknown>) !== null,
  );
  if (questions.length === 0) return null;
  return (
    <>
      <p className="text-sm text-muted">{formText.answersHelp}</p>
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
