/** The cookies of the console, by its address. */
export interface CookieRules {
  /** The cookie of the session. */
  session: string;
  /** The cookie of a sign-in at the identity provider that has not ended. */
  signIn: string;
  secure: boolean;
}

/**
 * Decides the names of the cookies. With the prefix `__Host-` a browser accepts a cookie only from
 * this host, over HTTPS and for all paths, so no other host of the domain can set it. Browsers
 * refuse the prefix over HTTP, which only this machine uses; the port then separates consoles,
 * because cookies do not.
 */
export function decideCookies(consoleUrl: string): CookieRules {
  const { protocol, port } = new URL(consoleUrl);
  if (protocol === 'https:') {
    return { session: '__Host-session', signIn: '__Host-sign-in', secure: true };
  }
  const suffix = port === '' ? '80' : port;
  return { session: `session_${suffix}`, signIn: `sign_in_${suffix}`, secure: false };
}
