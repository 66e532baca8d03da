import { type ErrorCode, statusWords } from '@event-api/contracts/errors';

/** An error that a proxy responds with itself, as the envelope of all errors. */
const error = <Code extends ErrorCode>(code: Code, message: string) => ({
  code,
  body: JSON.stringify({ error: { code, status: statusWords[code], message } }),
});

export const malformed = error(400, 'The request is malformed, or its headers are too large');
export const tooSlow = error(408, 'The request did not arrive in time');
export const tooLarge = error(413, 'The body is too large');
export const failed = error(500, 'Internal error');
export const lost = error(504, 'No response in time; the request may have taken effect');

/** `name` is the cell as a sentence begins with it. */
export const cellDown = (name: string) =>
  error(503, `${name} is temporarily unavailable, please try again`);

/** Seconds after which a request to a cell that is down is worth another try. */
export const retryAfterSeconds = 5;
