import { EventApiConnectionError } from './errors.ts';

/**
 * Checks that the body of a success has these fields with these types. A network that answers for
 * the API, such as the sign-in page of a hotel, must not look like a check-in.
 * Errors: EventApiConnectionError.
 */
export const hasFields =
  (fields: Record<string, string>) =>
  async (body: unknown): Promise<void> => {
    if (!hasType(body, 'object')) throw notOfTheApi('its body is no JSON object');
    for (const [name, type] of Object.entries(fields)) {
      const value = (body as Record<string, unknown>)[name];
      if (!hasType(value, type)) throw notOfTheApi(`its field ${name} is no ${type}`);
    }
  };

/** Checks that a success which should be JSON is, and is not empty. Errors: as above. */
export async function requireJson(response: Response): Promise<void> {
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.startsWith('application/json')) throw notOfTheApi(`its type is '${type}'`);
  await response
    .clone()
    .json()
    .catch(() => {
      throw notOfTheApi('its body is no JSON');
    });
}

function hasType(value: unknown, expected: string): boolean {
  switch (expected) {
    case 'any':
      return value !== undefined;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === expected;
  }
}

const notOfTheApi = (reason: string) =>
  new EventApiConnectionError(new Error(`the response is not one of the API: ${reason}`));
