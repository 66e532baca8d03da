/**
 * Response header of commerce to the gateway: the token of the claim is unknown or revoked. A 401
 * without it rejects the caller token of the gateway.
 */
export const unknownClaimHeader = 'x-claim-unknown';
