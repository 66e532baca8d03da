import { useNavigate } from '@tanstack/react-router';
import type { Session, SessionUnit } from '../api/session.ts';
import { paths } from '../format/paths.ts';
import { shellText } from '../text/shell.ts';

/**
 * Changes the business unit. It is a native select, which works with every keyboard and screen
 * reader.
 */
export function UnitSwitcher({ session, unit }: { session: Session; unit: SessionUnit | null }) {
  const navigate = useNavigate();
  return (
    <select
      aria-label={shellText.units}
      className="control w-full font-medium"
      value={unit?.id ?? ''}
      onChange={(event) => void navigate({ to: paths.events(event.target.value) })}
    >
      {!unit && <option value="">{shellText.platform}</option>}
      {session.units.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
