import { useTicketTypes } from '../../../api/event-data.ts';
import type { Registration } from '../../../api/records.ts';
import { useMayReadEmails } from '../../../api/unit.ts';
import { CopyText } from '../../../components/ui/copy.tsx';
import { Instant } from '../../../components/ui/instant.tsx';
import { Skeleton } from '../../../components/ui/states.tsx';
import { Facts, Section } from '../../../components/ui/surface.tsx';
import { common } from '../../../text/common.ts';
import { detailText } from '../../../text/detail.ts';
import { personText } from '../../../text/person.ts';
import { registrationsText as text } from '../../../text/registrations.ts';

export function PersonFacts({ person }: { person: Registration }) {
  const mayReadEmails = useMayReadEmails();
  const types = useTicketTypes();
  const named = types.data?.ticketTypes.find(({ id }) => id === person.registrationTypeId)?.name;
  const ticket = types.isPending ? <Skeleton className="my-0.5 w-24" /> : named;
  return (
    <Section title={detailText.facts}>
      <Facts
        items={[
          mayReadEmails ? [common.email, person.email] : null,
          [text.ticket, ticket ?? person.registrationTypeId ?? common.noValue],
          [
            text.badgeCode,
            <CopyText key="badge" text={person.checkinCode} label={text.copyBadge} />,
          ],
          [text.registeredAt, <Instant key="registered" at={person.registeredAt} />],
          person.cancelledAt === null
            ? null
            : [text.cancelledAt, <Instant key="cancelled" at={person.cancelledAt} />],
          person.offerExpiresAt === null
            ? null
            : [text.offer, <Instant key="offer" at={person.offerExpiresAt} />],
          person.rejectionReason === null ? null : [text.reason, person.rejectionReason],
          [personText.id, <CopyText key="id" text={person.id} label={detailText.copyId} />],
        ]}
      />
    </Section>
  );
}
