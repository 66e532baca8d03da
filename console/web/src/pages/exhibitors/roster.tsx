import { UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useCommandRead, useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { Exhibitor, Registration } from '../../api/records.ts';
import { useEvent, usePermission, useUnit } from '../../api/unit.ts';
import { SearchField } from '../../components/list/filters.tsx';
import { Button, IconButton } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { UnsavedGuard } from '../../components/ui/unsaved-guard.tsx';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { NewStaff } from './new-staff.tsx';

type Member = Exhibitor['members'][number];

/** The people who staff a company. They are found among the registrations. */
export function Roster({ exhibitor }: { exhibitor: Exhibitor }) {
  const mayWrite = usePermission('design');
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={text.roster}
      description={text.rosterText}
      actions={
        mayWrite && (
          <Button icon={UserPlus} onClick={() => setAdding(true)}>
            {text.addPerson}
          </Button>
        )
      }
    >
      {exhibitor.members.length === 0 && <p className="text-muted">{text.noRoster}</p>}
      <ul className="flex flex-col gap-1">
        {exhibitor.members.map((member) => (
          <MemberRow key={member.registrationId} member={member} exhibitor={exhibitor} />
        ))}
      </ul>
      {isAdding && <AddDialog exhibitor={exhibitor} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function MemberRow({
  member: { registrationId, role },
  exhibitor,
}: {
  member: Member;
  exhibitor: Exhibitor;
}) {
  const unit = useUnit();
  const event = useEvent();
  const mayWrite = usePermission('design');
  const toast = useToast();
  const path = `${useEventPath()}/registrations/${encodeURIComponent(registrationId)}`;
  const person = useRead<Registration>(path).data;
  const name = person?.name ?? person?.email ?? registrationId;
  const action = useAction(() => toast(text.removedPerson(name)));
  const input = { eventId: event.id, exhibitorId: exhibitor.id, registrationId };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0">
        <TextLink href={paths.registration(unit.id, event.id, registrationId)}>{name}</TextLink>{' '}
        <span className="text-muted">{role}</span>
      </span>
      {mayWrite && (
        <IconButton
          icon={X}
          label={text.removePerson(name)}
          onClick={() => void action.run({ command: 'exhibitor.removeMember', input })}
        />
      )}
      {action.error && <ErrorNote error={action.error} />}
    </li>
  );
}

/** Finds somebody who is registered, or registers somebody who is not. */
function AddDialog({ exhibitor, onClose }: { exhibitor: Exhibitor; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  return (
    <Dialog isOpen onClose={onClose} title={isNew ? text.newPerson : text.addPerson}>
      {isNew ? (
        <NewStaff exhibitor={exhibitor} typed={query} onClose={onClose} />
      ) : (
        <FindStaff
          exhibitor={exhibitor}
          query={query}
          onSearch={setQuery}
          onRegister={() => setNew(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function FindStaff({
  exhibitor,
  query,
  onSearch,
  onRegister,
  onClose,
}: {
  exhibitor: Exhibitor;
  query: string;
  onSearch: (query: string) => void;
  onRegister: () => void;
  onClose: () => void;
}) {
  const event = useEvent();
  const mayRegister = usePermission('register');
  const [role, setRole] = useState<string>(text.roleDefault);
  const wanted = query.trim();
  const found = useCommandRead<{ registrations: Registration[] }>(
    'registration.search',
    { eventId: event.id, query: wanted, limit: 10 },
    { isEnabled: wanted !== '' },
  );
  const people = wanted === '' ? [] : (found.data?.registrations ?? []);
  return (
    <div className="flex flex-col gap-3">
      <label className="flex flex-col gap-1">
        <span className="font-medium">{text.role}</span>
        <input
          className="control w-full sm:w-72"
          maxLength={200}
          value={role}
          onChange={(change) => setRole(change.target.value)}
        />
      </label>
      <SearchField label={text.findPerson} value={query} onChange={onSearch} />
      {found.error && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {wanted !== '' && found.isLoading && <SkeletonRows count={2} />}
      {wanted !== '' && found.data && people.length === 0 && (
        <p role="status" className="text-muted">
          {text.noneFound}
        </p>
      )}
      <ul aria-label={text.found} className="flex flex-col gap-1">
        {people.map((person) => (
          <FoundPerson
            key={person.id}
            person={person}
            role={role}
            exhibitor={exhibitor}
            onDone={onClose}
          />
        ))}
      </ul>
      {mayRegister && (
        <p className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-muted">
          {text.notRegistered}
          <Button icon={UserPlus} onClick={onRegister}>
            {text.registerPerson}
          </Button>
        </p>
      )}
      <UnsavedGuard hasUnsaved={() => role !== text.roleDefault} isRunning={false} />
    </div>
  );
}

function FoundPerson({
  person,
  role,
  exhibitor,
  onDone,
}: {
  person: Registration;
  role: string;
  exhibitor: Exhibitor;
  onDone: () => void;
}) {
  const event = useEvent();
  const toast = useToast();
  const name = person.name ?? person.email ?? person.id;
  const action = useAction(() => {
    toast(text.added(name));
    onDone();
  });
  const input = { eventId: event.id, exhibitorId: exhibitor.id, registrationId: person.id, role };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 wrap-anywhere">
        {name} <span className="text-muted">{person.email}</span>
      </span>
      <Button
        aria-label={text.addToRoster(name)}
        isBusy={action.isRunning}
        disabled={role.trim() === ''}
        onClick={() => void action.run({ command: 'exhibitor.addMember', input })}
      >
        {common.add}
      </Button>
      {action.error && <ErrorNote error={action.error} />}
    </li>
  );
}
