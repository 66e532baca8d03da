import { useTicketTypes } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { TextLink } from '../../components/ui/link.tsx';
import { Facts, Section } from '../../components/ui/surface.tsx';
import { paths } from '../../format/paths.ts';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { registrationsText as text } from '../../text/registrations.ts';

export function PersonFacts({ person }: { person: Registration }) {
  const unit = useUnit();
  const event = useEvent();
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const ticket = types.find(({ id }) => id === person.registrationTypeId)?.name;
  const answers = Object.entries(person.responses ?? {});
  return (
    <Section title={detailText.facts}>
      <Facts
        items={[
          [common.email, person.email ?? common.noValue],
          [text.ticket, ticket ?? person.registrationTypeId ?? common.noValue],
          person.orderId && [
            text.order,
            <TextLink
              key="order"
              href={paths.order(unit.id, event.id, person.orderId)}
              className="font-mono text-xs"
            >
              {person.orderId}
            </TextLink>,
          ],
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
          answers.length > 0 && [
            text.answers,
            answers.map(([question, answer]) => `${question}: ${String(answer)}`).join(', '),
          ],
        ].map((item) => (item ? (item as [string, React.ReactNode]) : null))}
      />
    </Section>
  );
}
