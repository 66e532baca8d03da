import { Ban, Check, IdCard, UserX } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead, useRead, useScopePath } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Checkin, CheckinSummary, Registration } from '../../api/records.ts';
import { useMayReadEmails, usePermission } from '../../api/unit.ts';
import { DetailColumns } from '../../components/detail/columns.tsx';
import { DetailError } from '../../components/detail/detail-error.tsx';
import { History } from '../../components/detail/history.tsx';
import type { OwnFact } from '../../components/detail/history-rules.ts';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { Button, FileLink } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { DangerDialog } from '../../components/ui/danger-dialog.tsx';
import { ActionMenu } from '../../components/ui/menu.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { detailText } from '../../text/detail.ts';
import { registrationsText as text } from '../../text/registrations.ts';
import { Doors } from './doors.tsx';
import { Perks } from './perks.tsx';
import { PersonFacts } from './person-facts.tsx';
import { PersonOrder } from './person-order.tsx';
import { PersonTickets } from './person-tickets.tsx';

/** Everything about one person in the event. */
export function Person({ id }: { id: string }) {
  const path = `${useEventPath()}/registrations/${encodeURIComponent(id)}`;
  const query = useRead<Registration>(path);
  if (query.error && !query.data) {
    return <DetailError error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <SkeletonRows count={5} />;
  const person = query.data;
  return (
    <>
      <PersonHeader person={person} path={path} />
      <DetailColumns timeline={<PersonHistory person={person} />}>
        <PersonFacts person={person} />
        <Doors registrationId={person.id} />
        <Perks path={`${path}/perks`} />
        {/* Only some people have this list. Above the others, it would move them when it arrives. */}
        {person.email && <PersonTickets id={person.id} email={person.email} />}
        {person.orderId !== null && <PersonOrder orderId={person.orderId} />}
      </DetailColumns>
    </>
  );
}

function PersonHeader({ person, path }: { person: Registration; path: string }) {
  const mayDecide = usePermission('people.write');
  const mayPrint = usePermission('badges');
  const scope = useScopePath();
  const toast = useToast();
  const [danger, setDanger] = useState<'cancel' | 'reject' | null>(null);
  const action = useAction<Registration>(({ status }) => {
    setDanger(null);
    toast(
      text.actions[
        status === 'rejected' ? 'reject' : status === 'cancelled' ? 'cancel' : 'approve'
      ],
    );
  });
  const mayReadEmails = useMayReadEmails();
  const name = person.name ?? (mayReadEmails ? person.email : text.unnamed);
  const isPending = person.status === 'pending';
  const isActive = ['pending', 'confirmed', 'waitlisted'].includes(person.status);
  const run = (verb: string) => void action.run({ method: 'POST', path: `${path}/${verb}` });
  return (
    <>
      <PageHeader
        title={name}
        badge={<StatusBadge kind="registration" status={person.status} />}
        description={<CopyText text={person.id} label={detailText.copyId} />}
        actions={
          <>
            {mayPrint && person.status === 'confirmed' && (
              <FileLink href={`${scope}/${path}/badge?format=pdf`} icon={IdCard}>
                {text.badgeFile}
              </FileLink>
            )}
            {mayDecide && isPending && (
              <Button
                kind="primary"
                icon={Check}
                isBusy={action.isRunning}
                onClick={() => run('approve')}
              >
                {text.actions.approve}
              </Button>
            )}
            {mayDecide && (
              <ActionMenu
                actions={[
                  isPending && {
                    label: text.actions.reject,
                    icon: Ban,
                    isDanger: true,
                    onSelect: () => setDanger('reject'),
                  },
                  isActive && {
                    label: text.actions.cancel,
                    icon: UserX,
                    isDanger: true,
                    onSelect: () => setDanger('cancel'),
                  },
                ]}
              />
            )}
          </>
        }
      />
      {action.error && danger === null && <ErrorNote error={action.error} />}
      <DangerDialog
        isOpen={danger !== null}
        onClose={() => setDanger(null)}
        title={danger === 'reject' ? text.rejectTitle(name) : text.cancelTitle(name)}
        consequence={danger === 'reject' ? text.rejectText : text.cancelText}
        confirmLabel={danger === 'reject' ? text.rejectConfirm(name) : text.cancelConfirm(name)}
        onConfirm={() => danger && run(danger)}
        isRunning={action.isRunning}
        error={action.error}
      />
    </>
  );
}

function PersonHistory({ person }: { person: Registration }) {
  const checkins = useCommandRead<{ checkins: Checkin[] }>('checkin.find', {
    registrationIds: [person.id],
  });
  const summary = useRead<CheckinSummary>(`${useEventPath()}/checkins/summary`);
  const doorNames = new Map(summary.data?.doors.map(({ subjectId, name }) => [subjectId, name]));
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const ticket = types.find(({ id }) => id === person.registrationTypeId)?.name ?? null;
  const words = text.history;
  const facts: OwnFact[] = [
    {
      id: 'registered',
      at: person.registeredAt,
      what: words.registered,
      who: ticket,
      sameAs: 'registration.created',
    },
    ...(checkins.data?.checkins ?? []).map(({ id, checkedInAt: at, subjectType, subjectId }) => {
      return {
        id,
        at,
        what: words.checkedIn(
          subjectType === 'event' ? text.eventDoor : (doorNames.get(subjectId) ?? subjectId),
        ),
      };
    }),
  ];
  if (person.cancelledAt) {
    const sameAs = `registration.${person.status}`;
    const note = person.rejectionReason;
    facts.push({ id: 'ended', at: person.cancelledAt, what: words.cancelled, note, sameAs });
  }
  return <History recordId={person.id} facts={facts} />;
}
