import { openSeatsText as text } from '../../text/open-seats.ts';
import type { PlannedLine } from './open-seats.rules.ts';

/** Why a line of a list gives nobody a seat. */
export function lineProblem(line: Exclude<PlannedLine, { outcome: 'assign' | 'header' }>): string {
  switch (line.outcome) {
    case 'no_email':
      return text.noEmail;
    case 'bad_email':
      return text.badEmail(line.email);
    case 'repeated':
      return text.repeated(line.firstLine);
    case 'no_seat':
      return text.noSeat;
  }
}
