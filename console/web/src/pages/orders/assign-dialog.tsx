import { useSend } from '../../api/actions.ts';
import { useEventPath, useForm } from '../../api/event-data.ts';
import type { FoundOrder } from '../../api/records.ts';
import { typedAnswers } from '../../components/form/answers.rules.ts';
import { QuestionFields } from '../../components/form/question-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { openSeatsText as text } from '../../text/open-seats.ts';
import type { OpenSeat } from './open-seats.rules.ts';

interface Props {
  order: FoundOrder;
  seat: OpenSeat;
  onClose: () => void;
}

/** Gives an open seat to a person. */
export function AssignDialog({ order, seat, onClose }: Props) {
  const form = useForm();
  return (
    <Dialog
      // The dialog of the form begins at its first field.
      key={String(form.isLoading)}
      isOpen
      onClose={onClose}
      title={text.assignTitle(seat.place, seat.itemName)}
      description={text.assignHelp}
    >
      {form.isLoading ? (
        <SkeletonRows count={3} />
      ) : form.error && !form.data ? (
        <ErrorNote error={form.error} onRetry={() => void form.refetch()} />
      ) : (
        <AssignForm
          order={order}
          seat={seat}
          questions={form.data?.questions ?? []}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function AssignForm({
  order,
  seat,
  questions,
  onClose,
}: Props & { questions: Parameters<typeof QuestionFields>[0]['questions'] }) {
  const path = useEventPath();
  const send = useSend();
  const toast = useToast();
  const initial = { email: '', name: '', responses: {} as Record<string, unknown> };
  const form = useRecordForm(initial, async ({ email, name, responses }) => {
    const person = name.trim() || null;
    await send({
      method: 'POST',
      path: assignPath(path, order, seat),
      body: { email, name: person, responses: typedAnswers(questions, responses) },
    });
    toast(text.assigned(person ?? email));
    onClose();
  });
  return (
    <RecordForm form={form} submitLabel={text.assign} isInDialog>
      <TextField name="email" type="email" label={text.email} required maxLength={254} />
      <TextField name="name" label={text.name} maxLength={200} />
      <QuestionFields questions={questions} help={text.answersHelp} />
    </RecordForm>
  );
}

/** The path of the operation that assigns a seat. */
export const assignPath = (
  eventPath: string,
  { id }: Pick<FoundOrder, 'id'>,
  seat: Pick<OpenSeat, 'id'>,
): string => `${eventPath}/orders/${id}/seats/${encodeURIComponent(seat.id)}/assign`;
