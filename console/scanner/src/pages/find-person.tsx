import type { RosterBadge } from '@event-api/contracts/http/roster';
import { useEffect, useState } from 'react';
import { findByName } from '../scan/find-by-name.ts';
import { text } from '../text/en.ts';

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
    findByName(query).then(
      (badges) => {
        if (!isLeft) setFound(badges);
      },
      () => {
        if (!isLeft) setFound([]);
      },
    );
    return () => {
      isLeft = true;
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
      <div role="status">{found?.length === 0 && <p>{text.nobodyFound}</p>}</div>
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
