import { ApiError, invalidArgument, preconditionFailed } from '@event-api/platform/core/errors';

/** 401: there is no session, or it has ended. */
export const notSignedIn = () => new ApiError(401, 'Sign in to continue');

/** 401: the identity provider or the passkey did not confirm the sign-in. */
export const signInFailed = (cause?: unknown) =>
  new ApiError(401, 'The sign-in failed, please try again', { cause });

/** 403: another site has sent the request. */
export const foreignOrigin = () =>
  new ApiError(403, 'The request must come from a page of the console');

/** 403: only an administrator of the platform may do this. */
export const platformOnly = () =>
  new ApiError(403, 'Only an administrator of the platform may do this');

/** 429: the session or the address has sent too many requests. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, 'Too many requests, please try again later', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** 503: a part of the platform is down. `owner` is its name in the details. */
export const partUnavailable = (owner: string, cause?: unknown) =>
  new ApiError(503, `${owner} is temporarily unavailable, please try again`, {
    headers: { 'retry-after': '1' },
    details: [{ owner }],
    cause,
  });

/** 504: a part of the platform did not respond. `owner` is its name in the details. */
export const partLate = (owner: string, cause?: unknown) =>
  new ApiError(504, `${owner} did not respond in time; the request may have taken effect`, {
    details: [{ owner }],
    cause,
  });

/** 412: a business unit always has an owner. */
export const lastOwner = () => preconditionFailed('LAST_OWNER');

/** 412: the link of the invitation is not valid any more. */
export const invitationEnded = () => preconditionFailed('INVITATION_ENDED');

/** 412: the invitation is for the owner of an email address. */
export const invitationForOther = () => preconditionFailed('INVITATION_FOR_OTHER');

/** 400: the last passkey of an operator cannot be removed. */
export const lastPasskey = () =>
  invalidArgument([
    { field: 'id', issue: 'is the last passkey of the operator', code: 'invalid_value' },
  ]);
