import { useStore } from '@tanstack/react-form';
import { IdCard, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useSend, useSubmission } from '../../api/actions.ts';
import { useRead, useScopePath } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { CheckinSummary, Form, Registration, TicketType } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { typedAnswers } from '../../components/form/answers.rules.ts';
import { CheckboxField, SelectField } from '../../components/form/choice-fields.tsx';
import { QuestionFields } from '../../components/form/question-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useFormOfField, useRecordForm } from '../../components/form/use-record-form.ts';
import { Button, ButtonLink, FileLink } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { formText } from '../../text/forms.ts';
import { registrationListText } from '../../text/registration-list.ts';
import { doorName } from './door-name.ts';
import { isComplimentary } from './list.rules.ts';

const text = registrationListText.add;

interface Values {
  email: string;
  name: string;
  registrationTypeId: string | null;
  responses: Record<string, unknown>;
  isWalkIn: boolean;
  door: string;
}

/** Opens a dialog that registers a person by hand. */
export function AddPerson() {
  const [isOpen, setOpen] = useState(false);
  // A new dialog has empty fields.
  const [round, setRound] = useState(0);
  return (
    <>
      <Button
        kind="primary"
        icon={UserPlus}
        className="max-md:order-first"
        onClick={() => setOpen(true)}
      >
        {text.button}
      </Button>
      {isOpen && (
        <AddPersonData
          key={round}
          onClose={() => setOpen(false)}
          onAnother={() => setRound(round + 1)}
        />
      )}
    </>
  );
}

type Doors = CheckinSummary['doors'];

interface Offered {
  types: readonly TicketType[];
  /** Whether every registration of the event needs a ticket. */
  needsTicket: boolean;
  questions: Form['questions'];
  doors: Doors;
}

interface Steps {
  onClose: () => void;
  onAnother: () => void;
}

/** Reads what the form offers, and then shows it. */
function AddPersonData(steps: Steps) {
  const path = useEventPath();
  const types = useTicketTypes().data?.ticketTypes;
  const form = useRead<Form>(`${path}/form`).data;
  const mayCheckIn = usePermission('doors');
  const summary = useRead<CheckinSummary>(
    `${path}/checkins/summary`,
    {},
    { isEnabled: mayCheckIn },
  ).data;
  if (!types || !form || (mayCheckIn && !summary)) return null;
  const present = types.filter(({ status }) => status !== 'archived');
  const offered = {
    types: present.filter(({ status }) => status === 'open'),
    needsTicket: present.length > 0,
    questions: form.questions,
    doors: mayCheckIn ? (summary?.doors ?? []) : [],
  };
  return <AddPersonDialog offered={offered} {...steps} />;
}

interface Added {
  registration: Registration;
  message: string;
}

function AddPersonDialog({ offered, onClose, onAnother }: Steps & { offered: Offered }) {
  const [added, setAdded] = useState<Added | null>(null);
  const add = useAdd(offered);
  const { types, doors } = offered;
  const [onlyType] = types.length === 1 ? types : [];
  const form = useRecordForm<Values>(
    {
      email: '',
      name: '',
      registrationTypeId: onlyType?.id ?? null,
      responses: {},
      isWalkIn: false,
      door: doors[0]?.subjectId ?? '',
    },
    async (values) => setAdded(await add(values)),
  );
  if (added) return <AddedDialog added={added} onClose={onClose} onAnother={onAnother} />;
  return (
    <Dialog isOpen onClose={onClose} title={text.title}>
      {offered.needsTicket && types.length === 0 ? (
        <p>{text.noTickets}</p>
      ) : (
        <RecordForm form={form} submitLabel={text.submit} isInDialog>
          <PersonFields offered={offered} />
        </RecordForm>
      )}
    </Dialog>
  );
}

function PersonFields({ offered: { types, questions, doors } }: { offered: Offered }) {
  const { currency } = useEvent();
  const { api } = useFormOfField();
  const isWalkIn = useStore(api.store, ({ values }) => values.isWalkIn === true);
  return (
    <>
      <TextField name="email" type="email" label={text.email} required maxLength={254} />
      <TextField name="name" label={text.name} maxLength={200} />
      {types.length > 0 && (
        <SelectField
          name="registrationTypeId"
          label={text.ticket}
          required
          {...(types.some(({ priceAmount }) => priceAmount > 0) && { help: text.ticketHelp })}
          choices={types.map(({ id, name, priceAmount }) => ({
            value: id,
            label: priceAmount > 0 ? text.priced(name, formatMoney(priceAmount, currency)) : name,
          }))}
        />
      )}
      <QuestionFields questions={questions} help={formText.answersHelp} />
      {doors.length > 0 && (
        <CheckboxField name="isWalkIn" label={text.walkIn} help={text.walkInHelp} />
      )}
      {isWalkIn && doors.length > 1 && (
        <SelectField
          name="door"
          label={text.door}
          required
          choices={doors.map((door) => ({ value: door.subjectId, label: doorName(door) }))}
        />
      )}
    </>
  );
}

/** Registers a person, and lets a walk-in in. A retry does not repeat what has succeeded. */
function useAdd({ types, questions, doors }: Offered) {
  const event = useEvent();
  const path = useEventPath();
  const submit = useSubmission(useSend());
  return (values: Values): Promise<Added> =>
    submit(async (once) => {
      const responses = typedAnswers(questions, values.responses);
      const body = {
        email: values.email,
        name: values.name.trim() === '' ? null : values.name,
        ...(values.registrationTypeId && { registrationTypeId: values.registrationTypeId }),
        ...(responses && { responses }),
      };
      const created = await once<{ registration: Registration; created: boolean }>({
        method: 'POST',
        path: `${path}/registrations`,
        body,
      });
      let { registration } = created;
      const name = registration.name ?? registration.email;
      if (!created.created) return { registration, message: text.done.already(name) };
      const door = doors.find(({ subjectId }) => subjectId === values.door);
      if (!values.isWalkIn || !door) {
        const isFree = isComplimentary(registration, types);
        return {
          registration,
          message: text.done[isFree ? 'complimentary' : registration.status](name),
        };
      }
      if (registration.status !== 'confirmed') {
        registration = await once<Registration>({
          command: 'registration.confirm',
          input: { eventId: event.id, registrationId: registration.id, reason: text.walkIn },
        });
      }
      await once({
        method: 'POST',
        path: `${path}/checkins`,
        body: {
          registrationId: registration.id,
          subjectType: door.subjectType,
          subjectId: door.subjectId,
          method: 'manual',
        },
      });
      return { registration, message: text.done.checkedIn(name, doorName(door)) };
    });
}

/** What became of the person, with the badge. */
function AddedDialog({
  added: { registration, message },
  onClose,
  onAnother,
}: Steps & { added: Added }) {
  const unit = useUnit();
  const event = useEvent();
  const scope = useScopePath();
  const path = useEventPath();
  const mayPrint = usePermission('badges');
  const badge = `${scope}/${path}/registrations/${registration.id}/badge?format=pdf`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={message}
      footer={
        <>
          <ButtonLink
            kind="quiet"
            href={paths.registration(unit.id, event.id, registration.id)}
            onClick={onClose}
          >
            {text.open}
          </ButtonLink>
          <Button onClick={onAnother}>{text.another}</Button>
          {mayPrint && registration.status === 'confirmed' && (
            <FileLink href={badge} icon={IdCard}>
              {text.badge}
            </FileLink>
          )}
          <Button kind="primary" onClick={onClose}>
            {common.done}
          </Button>
        </>
      }
    />
  );
}
