import { useEvent, useUnit } from '../../api/unit.ts';
import { paths } from '../../format/paths.ts';
import { ticketsText } from '../../text/tickets.ts';
import { ButtonLink } from '../ui/button.tsx';

/** The way to the tickets of the event, from a page that is empty without them. */
export function TicketsLink() {
  const unit = useUnit();
  const event = useEvent();
  return (
    <ButtonLink href={paths.eventPage(unit.id, event.id, 'tickets')}>{ticketsText.goTo}</ButtonLink>
  );
}
