export const timeouts = {
  /**
   * A person chooses an operator on the page. It is the time after which the console no longer
   * accepts the sign-in.
   */
  interactionSeconds: 600,
  /** An authorization code is valid. The console redeems it at once. */
  codeSeconds: 60,
  /** An access token is valid. The console uses it once, for the claims of the operator. */
  accessTokenSeconds: 60,
  /** An identity token is valid. The console reads it once. */
  identityTokenSeconds: 60,
  /** The consent and the session of a sign-in are kept. Each sign-in shows the page again. */
  sessionSeconds: 600,
};
