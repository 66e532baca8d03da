import type { Registration } from '../../../api/records.ts';
import { choicesOf, peopleOf } from '../../../components/ledger/seats.rules.ts';
import { SeatsDialog, useSeatRights } from '../../../components/ledger/seats-dialog.tsx';
import { registrationsText as text } from '../../../text/registrations.ts';
import { EndDialog } from './decide-dialogs.tsx';
import { useOrdersOf } from './use-orders.ts';

/**
 * Cancels the registration of a person, and says before what follows. What was paid for it can go
 * back in the same step.
 */
export function CancelDialog({
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
  const rights = useSeatRights();
  const { orders, isLoading } = useOrdersOf(person);
  if (isLoading) return null;
  const order = orders.find(({ id }) => id === person.orderId);
  const holders = new Map([[person.id, person]]);
  const seat =
    order && peopleOf(order, holders).find(({ registrationId }) => registrationId === person.id);
  if (seat && choicesOf([seat], rights).includes('refund_and_cancel')) {
    const chosenIds = [person.id];
    return (
      <SeatsDialog
        order={order}
        holders={holders}
        chosenIds={chosenIds}
        isFixed
        onClose={onClose}
      />
    );
  }
  return (
    <EndDialog
      person={person}
      path={path}
      verb="cancel"
      title={text.cancelTitle(name)}
      consequence={text.cancelText}
      confirmLabel={text.cancelConfirm(name)}
      onClose={onClose}
    />
  );
}
