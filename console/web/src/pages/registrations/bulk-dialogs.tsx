import type { BulkRun } from '../../api/bulk-run.ts';
import type { Registration, TicketType } from '../../api/records.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { messageOf } from '../../components/ui/states.tsx';
import { UnsavedGuard } from '../../components/ui/unsaved-guard.tsx';
import { common } from '../../text/common.ts';
import { registrationListText } from '../../text/registration-list.ts';
import { registrationsText } from '../../text/registrations.ts';
import type { BulkAction, BulkPlan } from './bulk.rules.ts';

const text = registrationListText.bulk;

export type PeopleRun = BulkRun<Registration, Registration>;

const isDanger = (action: BulkAction): boolean => action === 'reject' || action === 'cancel';

/** Says before an action how many people it changes, what follows, and who stays as they are. */
export function ConfirmBulk({
  action,
  plan,
  selected,
  ticket,
  onClose,
  onConfirm,
}: {
  action: BulkAction;
  plan: BulkPlan;
  selected: number;
  /** The choice of the new ticket, for a change of tickets. */
  ticket?: { types: readonly TicketType[]; value: string | null; onChange: (id: string) => void };
  onClose: () => void;
  onConfirm: () => void;
}) {
  const count = plan.affected.length;
  const isReady = count > 0 && (ticket === undefined || ticket.value !== null);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title[action](count)}
      description={text.follows[action](count)}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind={isDanger(action) ? 'danger' : 'primary'}
            disabled={!isReady}
            onClick={onConfirm}
          >
            {text.bar[action](count)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        {ticket && (
          <label className="flex flex-col gap-1 text-sm font-medium">
            {text.newTicket}
            <select
              className="control w-full max-w-96"
              value={ticket.value ?? ''}
              onChange={(event) => ticket.onChange(event.target.value)}
            >
              <option value="" disabled />
              {ticket.types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {plan.offers > 0 && <p>{text.offers(plan.offers)}</p>}
        {plan.ordered > 0 && <p>{text.ordered(plan.ordered)}</p>}
        {[...plan.staying].map(([status, staying]) => (
          <p key={status}>{text.stays.status(staying, selected, status)}</p>
        ))}
        {plan.sameTicket > 0 && <p>{text.stays.ticket(plan.sameTicket, selected)}</p>}
      </div>
    </Dialog>
  );
}

/** How far an action is, and afterwards what became of the people, first those who failed. */
export function BulkProgress({
  run,
  onStop,
  onUndo,
  onClose,
}: {
  run: PeopleRun;
  onStop: () => void;
  /** Present where the whole action can be undone. */
  onUndo: (() => void) | undefined;
  onClose: () => void;
}) {
  const { total, results, isRunning } = run;
  const failed = results.filter(({ error }) => error !== null);
  const byStatus = Map.groupBy(
    results.flatMap(({ changed }) => changed ?? []),
    ({ status }: Registration) => status,
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.result}
      description={<span role="status">{text.progress(results.length, total)}</span>}
      footer={
        <>
          {isRunning && <Button onClick={onStop}>{text.stop}</Button>}
          {onUndo && !isRunning && <Button onClick={onUndo}>{text.undone}</Button>}
          <Button kind="primary" isBusy={isRunning} onClick={onClose}>
            {common.done}
          </Button>
        </>
      }
    >
      <UnsavedGuard isRunning={isRunning} hasFailed={false} />
      <progress
        aria-label={text.result}
        className="mb-3 w-full"
        max={total}
        value={results.length}
      />
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {[...byStatus].map(([status, people]) => (
          <li key={status} className="flex items-center gap-1.5">
            <StatusBadge kind="registration" status={status} />
            {people.length}
          </li>
        ))}
      </ul>
      {failed.length > 0 && (
        <section aria-label={text.failed(failed.length)} className="mt-3">
          <h3 className="font-medium">{text.failed(failed.length)}</h3>
          <ul className="mt-1 flex flex-col gap-2">
            {failed.map(({ subject: person, error }) => (
              <li key={person.id} className="flex flex-wrap justify-between gap-x-3">
                <span className="wrap-anywhere">
                  {person.name ?? person.email ?? registrationsText.unnamed}
                </span>
                <span className="text-red">{error && messageOf(error)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
