import { useStore } from '@tanstack/react-form';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSend, useSubmission } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { ApiError } from '../../api/error.ts';
import { useAddons, useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Form, Order } from '../../api/records.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { typedAnswers } from '../../components/form/answers.rules.ts';
import { QuestionFields } from '../../components/form/question-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { NumberField, TextAreaField, TextField } from '../../components/form/text-fields.tsx';
import { useFormOfField, useRecordForm } from '../../components/form/use-record-form.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { useStored } from '../../components/ui/use-stored.ts';
import { now } from '../../format/clock.ts';
import { formatMoney } from '../../format/money.ts';
import { formText } from '../../text/forms.ts';
import { newOrderText as text } from '../../text/new-order.ts';
import { lineProblem } from './line-problem.ts';
import {
  decideNewOrder,
  type NewOrderValues,
  type OfferedItem,
  offeredItems,
} from './new-order.rules.ts';
import { type Placed, PlacedDialog } from './placed-dialog.tsx';

interface Values extends NewOrderValues {
  responses: Record<string, unknown>;
  returnUrl: string;
}

/** Opens a dialog that sells tickets and add-ons at the desk. */
export function NewOrder() {
  const [isOpen, setOpen] = useState(false);
  // A new dialog has empty fields.
  const [round, setRound] = useState(0);
  if (!usePermission('orders.place')) return null;
  return (
    <>
      <Button
        kind="primary"
        icon={Plus}
        className="max-md:order-first"
        onClick={() => setOpen(true)}
      >
        {text.button}
      </Button>
      {isOpen && (
        <NewOrderData
          key={round}
          onClose={() => setOpen(false)}
          onAnother={() => setRound(round + 1)}
        />
      )}
    </>
  );
}

interface Offered {
  items: readonly OfferedItem[];
  questions: Form['questions'];
}

interface Steps {
  onClose: () => void;
  onAnother: () => void;
}

/** Reads what can be ordered, and then shows it. */
function NewOrderData(steps: Steps) {
  const types = useTicketTypes().data?.ticketTypes;
  const addons = useAddons().data?.addons;
  const form = useRead<Form>(`${useEventPath()}/form`).data;
  if (!types || !addons || !form) return null;
  const offered = { items: offeredItems(types, addons, now()), questions: form.questions };
  return <NewOrderDialog offered={offered} {...steps} />;
}

function NewOrderDialog({ offered, onClose, onAnother }: Steps & { offered: Offered }) {
  const [placed, setPlaced] = useState<Placed | null>(null);
  const [storedUrl, storeUrl] = useStored('order-return-url', '');
  const place = usePlace(offered);
  const form = useRecordForm<Values>(
    {
      ...{ email: '', name: '', quantities: {}, people: '', redemptionCode: '' },
      ...{ responses: {}, returnUrl: storedUrl },
    },
    async (values) => {
      const done = await place(values);
      if (values.returnUrl !== '') storeUrl(values.returnUrl);
      setPlaced(done);
    },
  );
  if (placed) return <PlacedDialog placed={placed} onClose={onClose} onAnother={onAnother} />;
  return (
    <Dialog isOpen onClose={onClose} title={text.title}>
      {offered.items.length === 0 ? (
        <p>{text.nothingOnSale}</p>
      ) : (
        <RecordForm form={form} submitLabel={text.submit} isInDialog>
          <Fields offered={offered} />
        </RecordForm>
      )}
    </Dialog>
  );
}

function Fields({ offered: { items, questions } }: { offered: Offered }) {
  const { currency } = useEvent();
  const { api } = useFormOfField();
  const costs = useStore(api.store, ({ values }) => {
    const quantities = values.quantities as Values['quantities'];
    return items.some(({ id, priceAmount }) => priceAmount > 0 && (quantities[id] ?? 0) > 0);
  });
  return (
    <>
      {items.map(({ id, name, priceAmount }) => (
        <NumberField
          key={id}
          name={`quantities.${id}`}
          label={text.item(name, priceAmount > 0 ? formatMoney(priceAmount, currency) : text.free)}
          minimum={0}
          maximum={100}
          placeholder="0"
        />
      ))}
      <TextField name="email" type="email" label={text.email} required maxLength={254} />
      <TextField name="name" label={text.name} maxLength={200} />
      <TextAreaField name="people" label={text.people} help={text.peopleHelp} />
      <TextField name="redemptionCode" label={text.code} maxLength={200} />
      {costs && (
        <TextField
          name="returnUrl"
          type="url"
          label={text.returnUrl}
          help={text.returnUrlHelp}
          required
          maxLength={2048}
        />
      )}
      <QuestionFields questions={questions} help={formText.answersHelp} />
    </>
  );
}

/** Places an order and confirms it, which opens its payment page. A retry repeats no step. */
function usePlace({ items, questions }: Offered) {
  const path = `${useEventPath()}/orders`;
  const submit = useSubmission(useSend());
  return (values: Values): Promise<Placed> =>
    submit(async (once) => {
      const decision = decideNewOrder(values, items);
      if (decision.outcome === 'nothing_chosen') {
        throw issueOf(`quantities.${items[0]?.id}`, text.nothingChosen);
      }
      if (decision.outcome === 'bad_line') {
        const { line } = decision;
        throw issueOf('people', text.badLine(line.line, lineProblem(line)));
      }
      const responses = typedAnswers(questions, values.responses);
      const body = { ...decision.body, ...(responses && { responses }) };
      const placed = await once<Order & { alreadyRegistered: boolean; registrationId: string }>({
        ...{ method: 'POST', path, body },
      });
      if (placed.id === undefined) {
        const { registrationId } = placed;
        return { outcome: 'registered', email: values.email, registrationId };
      }
      const { returnUrl: url } = values;
      const order = await once<Order>({
        ...{ method: 'POST', path: `${path}/${placed.id}/confirm` },
        body: placed.totalAmount === 0 ? {} : { successUrl: url, cancelUrl: url },
      });
      return { outcome: 'placed', order };
    });
}

/** A problem that is found before anything is sent, at its field. */
const issueOf = (field: string, issue: string): ApiError =>
  new ApiError({
    ...{ code: 400, status: 'INVALID_ARGUMENT', message: issue, operation: 'placeOrder' },
    details: [{ field, issue }],
  });
