import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { isActive } from '../../../api/active-status.ts';
import { useForm } from '../../../api/event-data.ts';
import type { Form, Registration } from '../../../api/records.ts';
import { useMayReadEmails, usePermission } from '../../../api/unit.ts';
import { Answers } from '../../../components/detail/answers.tsx';
import { QuestionField } from '../../../components/form/question-field.tsx';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { useRecordForm } from '../../../components/form/use-record-form.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { Section } from '../../../components/ui/surface.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { common } from '../../../text/common.ts';
import { personText as text } from '../../../text/person.ts';
import { ChangedNote } from './changed-note.tsx';
import { answersToEdit, mergeAnswers } from './person.rules.ts';
import { useOrdersOf } from './use-orders.ts';
import { usePersonUpdate } from './use-person-update.ts';

/** The answers of a person to the form. A person without own answers begins with those of the order. */
export function AnswersSection({ person, path }: { person: Registration; path: string }) {
  const mayRead = useMayReadEmails();
  const mayEdit = usePermission('people.write') && isActive(person.status);
  const form = useForm().data;
  const { orders } = useOrdersOf(person);
  const [isOpen, setOpen] = useState(false);
  const { responses } = person;
  const hasAnswers = responses !== null && Object.keys(responses).length > 0;
  const questions = form?.questions ?? [];
  if (!mayRead || (!hasAnswers && questions.length === 0)) return null;
  return (
    <Section
      title={text.answers}
      actions={
        mayEdit &&
        questions.length > 0 && (
          <Button kind="quiet" icon={Pencil} onClick={() => setOpen(true)}>
            {text.editAnswers}
          </Button>
        )
      }
    >
      {hasAnswers ? (
        <Answers responses={responses} />
      ) : (
        <p className="text-muted">{text.noAnswers}</p>
      )}
      {isOpen && form && (
        <AnswersDialog
          person={person}
          path={path}
          form={form}
          ofOrder={orders.find(({ id }) => id === person.orderId)?.responses ?? null}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

interface Values {
  responses: Record<string, unknown>;
}

function AnswersDialog({
  person,
  path,
  form: asked,
  ofOrder,
  onClose,
}: {
  person: Registration;
  path: string;
  form: Form;
  ofOrder: Registration['responses'];
  onClose: () => void;
}) {
  const toast = useToast();
  const { seen, changes, update } = usePersonUpdate(person, path);
  const [opened] = useState(() => answersToEdit(asked, person.responses ?? ofOrder));
  const form = useRecordForm<Values>({ responses: opened }, async ({ responses }) => {
    const isChanged = (id: string) => responses[id] !== opened[id];
    const changed = Object.entries(responses).filter(([id]) => isChanged(id));
    const before = seen.responses ?? ofOrder;
    await update({ responses: mergeAnswers(before, Object.fromEntries(changed)) });
    toast(text.answersSaved);
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.editAnswers}
      description={person.responses === null && ofOrder !== null && text.ofOrderText}
    >
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <ChangedNote changes={changes} />
        {asked.questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            isRequired={question.required}
            rows={2}
          />
        ))}
      </RecordForm>
    </Dialog>
  );
}
