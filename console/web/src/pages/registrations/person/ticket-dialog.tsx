import { useStore } from '@tanstack/react-form';
import { useTicketTypes } from '../../../api/event-data.ts';
import type { Registration } from '../../../api/records.ts';
import { useEvent } from '../../../api/unit.ts';
import { Field } from '../../../components/form/field.tsx';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { useRecordForm } from '../../../components/form/use-record-form.ts';
import { classes } from '../../../components/ui/classes.ts';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { ErrorNote, SkeletonRows } from '../../../components/ui/states.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { formatMoney } from '../../../format/money.ts';
import { personText as text } from '../../../text/person.ts';
import { registrationsText } from '../../../text/registrations.ts';
import { ticketsText } from '../../../text/tickets.ts';
import { ChangedNote } from './changed-note.tsx';
import { paidForSeat, type TicketChoice, ticketChoices } from './person.rules.ts';
import { useOrdersOf } from './use-orders.ts';
import { usePersonUpdate } from './use-person-update.ts';

/** Changes the ticket of a person, and says before what follows. */
export function TicketDialog({
  person,
  name,
  path,
  onClose,
}: {
  person: Registration;
  name: string;
  path: string;
  onClose: () => void;
}) {
  const toast = useToast();
  const types = useTicketTypes();
  const { orders } = useOrdersOf(person);
  const { seen, changes, update } = usePersonUpdate(person, path);
  const all = types.data?.ticketTypes ?? [];
  const order = orders.find(({ id }) => id === seen.orderId);
  const present = all.find(({ id }) => id === seen.registrationTypeId);
  const paid =
    seen.orderId === null
      ? (present?.priceAmount ?? 0)
      : order
        ? paidForSeat(order, seen.id)
        : null;
  const choices = ticketChoices(seen, all, paid);
  const form = useRecordForm<{ registrationTypeId: string | null }>(
    { registrationTypeId: null },
    async ({ registrationTypeId }) => {
      await update({ registrationTypeId });
      toast(text.ticketChanged(all.find(({ id }) => id === registrationTypeId)?.name ?? ''));
      onClose();
    },
  );
  const chosenId = useStore(form.api.store, ({ values }) => values.registrationTypeId);
  const chosen = choices.find(({ type }) => type.id === chosenId);
  return (
    <Dialog isOpen onClose={onClose} title={text.changeTicketTitle(name)}>
      {types.error && !types.data && (
        <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      )}
      {types.isPending && <SkeletonRows count={3} />}
      {types.data && (
        <RecordForm form={form} submitLabel={text.changeTicket} isInDialog>
          <ChangedNote changes={changes} />
          <Field name="registrationTypeId" label={registrationsText.ticket} required>
            {({ value, onChange, attributes: { id, 'aria-describedby': describedBy } }) => (
              <fieldset
                id={id}
                tabIndex={-1}
                aria-label={registrationsText.ticket}
                aria-describedby={describedBy}
                className="flex flex-col divide-y divide-line rounded-md border border-line"
              >
                {choices.map((choice) => (
                  <Choice
                    key={choice.type.id}
                    choice={choice}
                    isChosen={value === choice.type.id}
                    onChoose={() => onChange(choice.type.id)}
                  />
                ))}
              </fieldset>
            )}
          </Field>
          {chosen && <Effects choice={chosen} present={present?.name ?? null} paid={paid} />}
        </RecordForm>
      )}
    </Dialog>
  );
}

function Choice({
  choice: { type, block },
  isChosen,
  onChoose,
}: {
  choice: TicketChoice;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { currency } = useEvent();
  const { name, priceAmount, availability } = type;
  const { remaining } = availability;
  return (
    <label
      className={classes(
        'flex items-center gap-3 px-3 py-2 touch:min-h-11',
        block === null ? 'cursor-pointer hover:bg-hover' : 'text-muted',
      )}
    >
      <input
        type="radio"
        name="registrationTypeId"
        className="size-4 shrink-0 accent-accent touch:size-6"
        checked={isChosen}
        disabled={block !== null}
        onChange={onChoose}
      />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium">{name}</span>{' '}
        <span className="block text-muted">
          {block
            ? text.blocks[block]
            : remaining === null
              ? text.unlimited
              : text.seatsLeft(remaining)}
        </span>
      </span>
      <span className="shrink-0 tabular-nums">
        {priceAmount === 0 ? ticketsText.free : formatMoney(priceAmount, currency)}
      </span>
    </label>
  );
}

/** What follows from the choice. */
function Effects({
  choice: { type, effects },
  present,
  paid,
}: {
  choice: TicketChoice;
  present: string | null;
  paid: number | null;
}) {
  const { currency } = useEvent();
  const words = {
    ...text.effects,
    cheaper: text.effects.cheaper(formatMoney((paid ?? 0) - type.priceAmount, currency)),
    seatFreed: text.effects.seatFreed(present ?? ''),
  };
  return (
    <div role="status">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {effects.map((effect) => (
          <li key={effect}>{words[effect]}</li>
        ))}
      </ul>
    </div>
  );
}
