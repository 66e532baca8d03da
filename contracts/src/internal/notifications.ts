/**
 * Response header of commerce to the gateway: the rejected notification has a valid signature, so it
 * does not count toward the limit of bad signatures of its address.
 */
export const verifiedSignatureHeader = 'x-signature-verified';
