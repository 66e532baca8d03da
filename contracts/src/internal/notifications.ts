/**
 * The path of payment providers' notifications. It is not part of the API and needs no key. The
 * gateway forwards it to commerce.
 */
export const notificationPath = '/payments/notifications/:provider';

/** The same for the account of a business unit, whose own secret signs them. */
export const unitNotificationPath = '/payments/notifications/:provider/:businessUnitId';

/** A larger notification is a 413. */
export const maxNotificationBytes = 256 * 1024;

/**
 * Response header of commerce to the gateway: the rejected notification has a valid signature, so
 * it does not count toward the limit of bad signatures of its address.
 */
export const verifiedSignatureHeader = 'x-signature-verified';
