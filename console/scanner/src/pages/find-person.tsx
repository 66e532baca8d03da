import type { RosterBadge } from '@event-api/contracts/http/roster';
import { useEffect, useState } from 'react';
import { findByName } from '../scan/find-by-name.ts';
import { text } from '../text/en.ts';

/** A search reads the whole roster, so it waits for a pause of the typing. */
const pauseMs = 150;

/** Finds a person who has no badge by name, and checks them in with one tap. */
export function FindPerson({
  isDisabled,
  onChoose,
}: {
  isDisabled: boolean;
  onChoose: (registrationId: string) => void;
}) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<RosterBadge[] | null>(null);

  useEffect(() => {
    let isLeft = false;
    const show = (badges: RosterBadge[] | null) => {
      if (!isLeft) setFound(badges);
    };
    const timer = setTimeout(() => {
      findByName(query).then(show, () => show([]));
    }, pauseMs);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [query]);

  return (
    <details>
      <summary>{text.findPerson}</summary>
      <label htmlFor="name">{text.nameOfPerson}</label>
      <input
        id="name"
        type="search"
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <div role="status">{found?.length === 0 && <p>{text.noMatch}</p>}</div>
      <ul className="doors">
        {found?.map(({ registrationId, name, status }) => (
          <li key={registrationId}>
            <button
              type="button"
              disabled={isDisabled}
              onClick={() => {
                setQuery('');
                onChoose(registrationId);
              }}
            >
              {name}
              {status !== 'confirmed' && ` (${text.statuses[status]})`}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
