/** The header that carries the signature of the payment sandbox's requests and notifications. */
export const signatureHeader = 'sandbox-signature';
