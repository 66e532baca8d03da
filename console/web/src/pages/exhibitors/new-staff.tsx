import { useSend, useSubmission } from '../../api/actions.ts';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Exhibitor, Registration, TicketType } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { RecordForm } from '../../components/form/record-form.tsx';
import { TextField } from '../../components/form/text-fields.tsx';
import { useRecordForm } from '../../components/form/use-record-form.ts';
import { SkeletonRows } from '../../components/ui/states.tsx';
import { useToast } from '../../components/ui/toast.tsx';
import { exhibitorsText as text } from '../../text/exhibitors.ts';
import { staffTicket, ticketsOnSale, typedPerson } from './exhibitors.rules.ts';

/** Registers a person with the ticket of the staff, and puts them on the roster, in one step. */
export function NewStaff({
  exhibitor,
  typed,
  onClose,
}: {
  exhibitor: Exhibitor;
  /** What was searched before. */
  typed: string;
  onClose: () => void;
}) {
  const types = useTicketTypes().data?.ticketTypes;
  const colleagueId = exhibitor.members[0]?.registrationId ?? '';
  const colleague = useRead<Registration>(
    `${useEventPath()}/registrations/${encodeURIComponent(colleagueId)}`,
    {},
    { isEnabled: colleagueId !== '' },
  );
  if (!types || colleague.isLoading) return <SkeletonRows count={3} />;
  const ticketTypeId = staffTicket(types, colleague.data?.registrationTypeId ?? null);
  return (
    <StaffForm
      exhibitor={exhibitor}
      types={types}
      initial={{ ...typedPerson(typed), registrationTypeId: ticketTypeId, role: text.roleDefault }}
      onClose={onClose}
    />
  );
}

interface Staff {
  email: string;
  name: string;
  registrationTypeId: string | null;
  role: string;
}

function StaffForm({
  exhibitor,
  types,
  initial,
  onClose,
}: {
  exhibitor: Exhibitor;
  types: readonly TicketType[];
  initial: Staff;
  onClose: () => void;
}) {
  const event = useEvent();
  const path = useEventPath();
  const submit = useSubmission(useSend());
  const toast = useToast();
  const form = useRecordForm<Staff>(initial, async ({ email, name, registrationTypeId, role }) => {
    const status = await submit(async (once) => {
      const body = {
        email,
        ...(name.trim() && { name }),
        ...(registrationTypeId && { registrationTypeId }),
      };
      const { registration } = await once<{ registration: Registration }>({
        method: 'POST',
        path: `${path}/registrations`,
        body,
      });
      const input = { eventId: event.id, exhibitorId: exhibitor.id, role };
      await once({
        command: 'exhibitor.addMember',
        input: { ...input, registrationId: registration.id },
      });
      return registration.status;
    });
    toast(text.registered(name.trim() || email, status));
    onClose();
  });
  const onSale = ticketsOnSale(types);
  return (
    <RecordForm form={form} submitLabel={text.registerAndAdd} isInDialog>
      <TextField name="email" label={text.email} type="email" required maxLength={254} />
      <TextField name="name" label={text.name} maxLength={200} />
      {types.length > 0 && (
        <SelectField
          name="registrationTypeId"
          label={text.ticket}
          help={text.ticketHelp}
          required
          choices={onSale.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField name="role" label={text.role} required maxLength={200} />
    </RecordForm>
  );
}
