/** The header that carries the signature of the payment sandbox's requests and notifications. */
export const signatureHeader = 'sandbox-signature';

/** The header of a request of the platform for one of the accounts that are connected to it. */
export const connectedAccountHeader = 'sandbox-account';
