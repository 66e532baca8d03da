import { eventually } from './eventually.ts';

/**
 * Repeats a request while its response is a 503: on a busy machine some requests wait too long for
 * a connection to the database. The request must have the same result when it is repeated.
 */
export const untilDecided = <Response extends { status: number }>(
  send: () => Promise<Response>,
): Promise<Response> =>
  eventually(async () => {
    const response = await send();
    if (response.status === 503) throw new Error('the request was not decided');
    return response;
  });
