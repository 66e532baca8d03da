import { useTicketTypes } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { useMayReadEmails, usePermission } from '../../api/unit.ts';
import { Answers } from '../../components/detail/answers.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { Skeleton } from '../../components/ui/states.tsx';
import { Facts, Section } from '../../components/ui/surface.tsx';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { registrationsText as text } from '../../text/registrations.ts';
import { OrderLink } from './person-order.tsx';

export function PersonFacts({ person }: { person: Registration }) {
  const mayReadOrders = usePermission('orders.list');
  const mayReadEmails = useMayReadEmails();
  const types = useTicketTypes();
  const named = types.data?.ticketTypes.find(({ id }) => id === person.registrationTypeId)?.name;
  const ticket = types.isPending ? <Skeleton className="my-0.5 w-24" /> : named;
  return (
    <Section title={detailText.facts}>
      <Facts
        items={[
          mayReadEmails && [common.email, person.email ?? common.noValue],
          [text.ticket, ticket ?? person.registrationTypeId ?? common.noValue],
          person.orderId &&
            mayReadOrders && [text.order, <OrderLink key="order" id={person.orderId} />],
          [
            text.badgeCode,
            <CopyText key="badge" text={person.checkinCode} label={text.copyBadge} />,
          ],
          [text.registeredAt, <Instant key="registered" at={person.registeredAt} />],
          person.cancelledAt && [
            text.cancelledAt,
            <Instant key="cancelled" at={person.cancelledAt} />,
          ],
          person.offerExpiresAt && [text.offer, <Instant key="offer" at={person.offerExpiresAt} />],
          person.rejectionReason && [text.reason, person.rejectionReason],
          mayReadEmails &&
            person.responses &&
            Object.keys(person.responses).length > 0 && [
              text.answers,
              <Answers key="answers" responses={person.responses} />,
            ],
        ].map((item) => (item ? (item as [string, React.ReactNode]) : null))}
      />
    </Section>
  );
}
