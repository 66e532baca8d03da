import { useState } from 'react';
import { useSend, type Write } from '../../../api/actions.ts';
import { useScopePath } from '../../../api/api.queries.ts';
import { useClient } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import type { Registration } from '../../../api/records.ts';
import { type Difference, detailsOf, differencesOf } from './person.rules.ts';

/**
 * Writes about a person as the operator has seen them. If somebody else has changed them in the
 * meantime, nothing is saved: `changes` says what differs, and the next attempt counts as made with
 * this knowledge.
 */
export function useOnSeen(person: Registration, path: string) {
  const client = useClient();
  const scope = useScopePath();
  const send = useSend();
  const [seen, setSeen] = useState(person);
  const [changes, setChanges] = useState<readonly Difference[]>([]);
  async function write<T>(writeOf: (seen: Registration) => Write, as = seen): Promise<T> {
    try {
      const result = await send<T>(writeOf(as));
      setChanges([]);
      return result;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'REGISTRATION_CHANGED') {
        const present = await client.request<Registration>({ path: `${scope}/${path}` });
        setChanges(differencesOf(as, present));
        setSeen(present);
      }
      throw error;
    }
  }
  return { seen, changes, write };
}

/** Changes a person as the operator has seen them. */
export function usePersonUpdate(person: Registration, path: string) {
  const { seen, changes, write } = useOnSeen(person, path);
  const update = (body: object): Promise<Registration> =>
    write((as) => ({ method: 'PATCH', path, body: { ...body, expected: detailsOf(as) } }));
  return { seen, changes, update };
}
