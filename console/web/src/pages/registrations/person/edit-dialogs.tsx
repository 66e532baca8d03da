import { useStore } from '@tanstack/react-form';
import { useEffect, useRef } from 'react';
import { useSend } from '../../../api/actions.ts';
import type { Registration } from '../../../api/records.ts';
import { useEvent } from '../../../api/unit.ts';
import { CheckboxField } from '../../../components/form/choice-fields.tsx';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { TextField } from '../../../components/form/text-fields.tsx';
import {
  type RecordForm as RecordFormState,
  useRecordForm,
} from '../../../components/form/use-record-form.ts';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { common } from '../../../text/common.ts';
import { personText as text } from '../../../text/person.ts';
import { ChangedNote } from './changed-note.tsx';
import { isBuyer, isOtherEmail } from './person.rules.ts';
import { useOrdersOf } from './use-orders.ts';
import { usePersonUpdate } from './use-person-update.ts';

interface Values {
  name: string;
  email: string;
  /** Whether the buyer of the order gets the values, too. */
  alsoBuyer: boolean;
}

interface Props {
  person: Registration;
  name: string;
  path: string;
  onClose: () => void;
}

/** Corrects the name and the email of a person. */
export function EditDialog({ person, name, path, onClose }: Props) {
  const toast = useToast();
  const { seen, changes, update } = usePersonUpdate(person, path);
  const send = useSend();
  const eventId = useEvent().id;
  const bought = useOrdersOf(person).orders.find((order) => isBuyer(person, order));
  const values = { name: seen.name ?? '', email: seen.email };
  const opened = useRef({ ...values, alsoBuyer: true }).current;
  const form = useRecordForm<Values>(opened, async ({ alsoBuyer }, changed) => {
    const input = {
      ...(changed.name !== undefined && { name: nameOf(changed.name) }),
      ...(changed.email !== undefined && { email: changed.email }),
    };
    const saved = await update(input);
    if (bought && alsoBuyer && Object.keys(input).length > 0) {
      await send({ command: 'order.update', input: { eventId, orderId: bought.id, ...input } });
    }
    toast(text.saved(saved.name ?? saved.email));
    onClose();
  });
  useUntouched(form, values);
  return (
    <Dialog isOpen onClose={onClose} title={text.editTitle(name)}>
      <RecordForm form={form} submitLabel={common.save} isInDialog>
        <ChangedNote changes={changes} />
        <TextField name="name" label={text.name} maxLength={200} />
        <TextField name="email" label={common.email} type="email" required maxLength={254} />
        {bought && <CheckboxField name="alsoBuyer" label={text.alsoBuyer(bought.orderNumber)} />}
        <BadgeNote form={form} person={seen} />
      </RecordForm>
    </Dialog>
  );
}

/** Gives the ticket to somebody else. */
export function TransferDialog({ person, name, path, onClose }: Props) {
  const toast = useToast();
  const { seen, changes, update } = usePersonUpdate(person, path);
  const form = useRecordForm<Omit<Values, 'alsoBuyer'>>({ name: '', email: '' }, async (values) => {
    const saved = await update({ name: nameOf(values.name), email: values.email });
    toast(text.transferred(saved.name ?? saved.email));
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.transferTitle(name)}
      description={text.transferText}
    >
      <RecordForm form={form} submitLabel={text.transferSubmit} isInDialog>
        <ChangedNote changes={changes} />
        <TextField name="name" label={text.name} maxLength={200} />
        <TextField name="email" label={common.email} type="email" required maxLength={254} />
        <BadgeNote form={form} person={seen} />
      </RecordForm>
    </Dialog>
  );
}

const nameOf = (typed: string): string | null => (typed.trim() === '' ? null : typed);

/** Says before that the badge stops working, while the typed email is another one. */
function BadgeNote({ form, person }: { form: RecordFormState; person: Registration }) {
  const email = useStore(form.api.store, ({ values }) => String(values.email ?? ''));
  if (person.status !== 'confirmed' || email.trim() === '') return null;
  if (!isOtherEmail(person.email, email)) return null;
  return (
    <p role="status" className="rounded-md bg-amber-soft px-3 py-2 text-amber">
      {text.newBadge(person.checkinCode)}
    </p>
  );
}

/** Shows what somebody else has changed in the fields that were not edited here. */
function useUntouched({ api }: RecordFormState, values: Omit<Values, 'alsoBuyer'>): void {
  const shown = useRef(values);
  useEffect(() => {
    for (const field of ['name', 'email'] as const) {
      const former = shown.current[field];
      if (former !== values[field] && api.getFieldValue(field) === former) {
        api.setFieldValue(field, values[field]);
      }
    }
    shown.current = values;
  });
}
