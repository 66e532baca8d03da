import { useState } from 'react';
import { useSend } from '../../../api/actions.ts';
import { useScopePath } from '../../../api/api.queries.ts';
import { useClient } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import type { Registration } from '../../../api/records.ts';
import { type Difference, differencesOf } from './person.rules.ts';

/**
 * Changes a person as the operator has seen them. If somebody else has changed them in the
 * meantime, nothing is saved: `changes` says what differs, and the next attempt counts as made with
 * this knowledge.
 */
export function usePersonUpdate(person: Registration, path: string) {
  const client = useClient();
  const scope = useScopePath();
  const send = useSend();
  const [seen, setSeen] = useState(person);
  const [changes, setChanges] = useState<readonly Difference[]>([]);
  async function update(body: object): Promise<Registration> {
    const { email, name, registrationTypeId, responses } = seen;
    const expected = { email, name, registrationTypeId, responses };
    try {
      return await send<Registration>({ method: 'PATCH', path, body: { ...body, expected } });
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'REGISTRATION_CHANGED') {
        const present = await client.request<Registration>({ path: `${scope}/${path}` });
        setChanges(differencesOf(seen, present));
        setSeen(present);
      }
      throw error;
    }
  }
  return { seen, changes, update };
}
