import type { CheckinExplanation } from '@event-api/contracts/operator/checkins';
import { useQueries } from '@tanstack/react-query';
import { CircleCheck, DoorClosed, DoorOpen } from 'lucide-react';
import { useState } from 'react';
import { useAction, useSend } from '../../../api/actions.ts';
import { runCommand, useRead, useScopePath } from '../../../api/api.queries.ts';
import { useClient } from '../../../api/client.ts';
import { useEventPath } from '../../../api/event-data.ts';
import type { Checkin, CheckinSummary, DoorCount, Registration } from '../../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../../api/unit.ts';
import { RecordForm } from '../../../components/form/record-form.tsx';
import { TextField } from '../../../components/form/text-fields.tsx';
import { useRecordForm } from '../../../components/form/use-record-form.ts';
import { Badge } from '../../../components/ui/badge.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { Instant } from '../../../components/ui/instant.tsx';
import { ErrorNote, Skeleton } from '../../../components/ui/states.tsx';
import { Section } from '../../../components/ui/surface.tsx';
import { useToast } from '../../../components/ui/toast.tsx';
import { formatInstant } from '../../../format/time.ts';
import { common } from '../../../text/common.ts';
import { personText as text } from '../../../text/person.ts';
import { registrationsText } from '../../../text/registrations.ts';
import { doorName } from '../door-name.ts';
import { commonRefusal, firstDoors, type Refusal, refusalOf, sortDoors } from './doors.rules.ts';

/**
 * Every door with what a scan there would say, decided by the same rules, and the check-ins that
 * can be made and undone by hand.
 */
export function Doors({ person }: { person: Registration }) {
  const summary = useRead<CheckinSummary>(`${useEventPath()}/checkins/summary`);
  const [showsAll, setShowsAll] = useState(false);
  const all = sortDoors(summary.data?.doors ?? []);
  const doors = showsAll || all.length <= firstDoors + 1 ? all : all.slice(0, firstDoors);
  const explanations = useExplanations(person, doors);
  const refusal = commonRefusal(explanations.map(({ data }) => data));
  const notice = explanations.find(({ data }) => data?.notice)?.data?.notice;
  return (
    <Section title={registrationsText.doors}>
      {summary.error && <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.isPending && <Skeleton className="h-26 w-2/3" />}
      {refusal && (
        <p>
          {text.noDoor} <Reason refusal={refusal} />
        </p>
      )}
      {notice && !refusal && <p className="mb-1 text-amber">{text.notices[notice]}</p>}
      <ul className="divide-y divide-line">
        {doors.map((door, index) => {
          const { data, error, refetch } = explanations[index] ?? {};
          if (error && !data) {
            return (
              <li key={door.subjectId} className="py-2">
                <ErrorNote error={error} onRetry={() => void refetch?.()} />
              </li>
            );
          }
          return (
            <DoorRow
              key={door.subjectId}
              door={door}
              person={person}
              explanation={data}
              isReasonShown={refusal === null}
            />
          );
        })}
      </ul>
      {doors.length < all.length && (
        <Button kind="quiet" className="mt-2" onClick={() => setShowsAll(true)}>
          {text.showDoors(all.length)}
        </Button>
      )}
    </Section>
  );
}

function useExplanations({ id }: Registration, doors: readonly DoorCount[]) {
  const client = useClient();
  const scope = useScopePath();
  const unitId = useUnit().id;
  const eventId = useEvent().id;
  return useQueries({
    queries: doors.map(({ subjectType, subjectId }) => {
      const input = { eventId, registrationId: id, subjectType, subjectId };
      return {
        queryKey: [scope, 'checkin.explain', input],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          runCommand<CheckinExplanation>(client, {
            operationId: 'checkin.explain',
            input,
            unitId,
            signal,
          }),
      };
    }),
  });
}

function DoorRow({
  door,
  person,
  explanation,
  isReasonShown,
}: {
  door: DoorCount;
  person: Registration;
  explanation: CheckinExplanation | undefined;
  isReasonShown: boolean;
}) {
  const mayCheckIn = usePermission('doors');
  const mayUndo = usePermission('undo');
  const path = `${useEventPath()}/checkins`;
  const toast = useToast();
  const [isUndoing, setUndoing] = useState(false);
  const name = doorName(door);
  const action = useAction(() => toast(text.checkedInAt(name)));
  const refusal = explanation ? refusalOf(explanation) : null;
  const checkin = explanation?.checkin ?? null;
  const checkIn = () => {
    const { subjectType, subjectId } = door;
    const body = { registrationId: person.id, subjectType, subjectId, method: 'manual' };
    void action.run({ method: 'POST', path, body });
  };
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <span className="font-medium wrap-anywhere">{name}</span>
          {explanation ? (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <DoorBadge isInside={checkin !== null} isOpen={refusal === null} />
              {checkin && <Instant at={checkin.checkedInAt} />}
              {refusal && !checkin && isReasonShown && (
                <span className="text-muted">
                  <Reason refusal={refusal} />
                </span>
              )}
            </span>
          ) : (
            <Skeleton className="my-1 w-24" />
          )}
        </div>
        {checkin && mayUndo && (
          <Button kind="quiet" aria-label={text.undoAt(name)} onClick={() => setUndoing(true)}>
            {common.undo}
          </Button>
        )}
        {explanation && !checkin && !refusal && mayCheckIn && (
          <Button aria-label={text.checkInAt(name)} isBusy={action.isRunning} onClick={checkIn}>
            {text.checkIn}
          </Button>
        )}
      </div>
      {action.error && <ErrorNote error={action.error} />}
      {isUndoing && checkin && (
        <UndoDialog
          path={`${path}/${checkin.id}/undo`}
          consequence={text.undoText(person.name ?? registrationsText.unnamed, name)}
          onClose={() => setUndoing(false)}
        />
      )}
    </li>
  );
}

function DoorBadge({ isInside, isOpen }: { isInside: boolean; isOpen: boolean }) {
  return (
    <Badge
      tone={isInside || isOpen ? 'green' : 'gray'}
      icon={isInside ? CircleCheck : isOpen ? DoorOpen : DoorClosed}
    >
      {isInside
        ? text.checkedIn
        : isOpen
          ? registrationsText.mayEnter
          : registrationsText.mayNotEnter}
    </Badge>
  );
}

/** Why a door stays closed, and what would open it. */
function Reason({ refusal: { outcome, perks, admission } }: { refusal: Refusal }) {
  const { timezone } = useEvent();
  const time = (at: string | null | undefined) => (at ? formatInstant(at, timezone) : null);
  return (
    <>
      {registrationsText.outcomes[outcome] ?? outcome}
      {perks.length > 0 && ` ${registrationsText.opens(perks.join(', '))}`}
      {admission && ` ${text.admitted(time(admission.opensAt), time(admission.closesAt))}`}
    </>
  );
}

/** Undoes a check-in, for a person who was checked in by mistake. */
function UndoDialog({
  path,
  consequence,
  onClose,
}: {
  path: string;
  consequence: string;
  onClose: () => void;
}) {
  const send = useSend();
  const toast = useToast();
  const form = useRecordForm({ reason: '' }, async ({ reason }) => {
    await send<Checkin>({ method: 'POST', path, body: { reason } });
    toast(text.undone);
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={text.undoTitle} description={consequence}>
      <RecordForm form={form} submitLabel={text.undoSubmit} isInDialog>
        <TextField name="reason" label={text.undoReason} required maxLength={200} />
      </RecordForm>
    </Dialog>
  );
}
