/** The console. */
export const timeouts = {
  /** A session without a request. A shift ends, and another person must not continue it. */
  sessionIdleSeconds: 12 * 3600,
  /** A session, however busy. The identity provider decides again once a week who may sign in. */
  sessionSeconds: 7 * 24 * 3600,
  /**
   * Interval of writes of the last request of a session. One write per request would cost more than
   * the request.
   */
  sessionTouchSeconds: 60,
  /** Interval of the count of open sessions. Their number changes slowly. */
  sessionMetricsIntervalMs: 15_000,
  /** A sign-in at the identity provider. A person may have to find a second factor. */
  signInSeconds: 600,
  /** A response of the identity provider. A person waits for it. */
  identityProviderSeconds: 8,
  /** A challenge of a passkey. A person may have to find the device. */
  challengeSeconds: 300,
  /** An invitation can be accepted. It waits for a person who is away for some days. */
  invitationSeconds: 7 * 24 * 3600,
  /**
   * Interval of the deletion of ended sessions, challenges and invitations. One deletion stays
   * short.
   */
  cleanupIntervalMs: 10 * 60_000,
  /**
   * An ended invitation is kept. Its link then still gets the response that says why it is not
   * valid.
   */
  endedInvitationSeconds: 30 * 24 * 3600,
  /** A process remembers the name and the currency of a business unit. They rarely change. */
  unitTtlMs: 30_000,
  /** A service responds to an API operation. It is as long as that of the gateway. */
  apiMs: 8000,
  /** A service responds to a command. A rebuild of projections takes up to 20 seconds. */
  commandMs: 25_000,
  /**
   * A read is slow, and the console asks whether its owner is ready. A person looks at an empty
   * page meanwhile.
   */
  slowReadMs: 2000,
  /**
   * A process says whether it is ready. A person waits for the page, and a slower process counts as
   * away.
   */
  readinessMs: 1000,
  /**
   * Interval of heartbeats of a live stream. The session and the role are checked as often, and
   * proxies keep the connection.
   */
  liveHeartbeatMs: 15_000,
  /** A live stream is open. The browser connects again, so streams move to new processes. */
  liveStreamMs: 5 * 60_000,
  /**
   * A browser waits before it connects again. A restart of the console takes longer than a lost
   * connection.
   */
  liveReconnectMs: 1000,
  /**
   * Pause between two requests that wait for news of an event. Each message costs work for every
   * browser that watches.
   */
  livePauseMs: 1000,
  /**
   * Interval of the message that something has changed, for roles that may not read what. Each
   * reads its whole page again.
   */
  liveRefreshMs: 10_000,
  /**
   * Interval between two streams that get the same message. To write one takes less than a tenth of
   * a millisecond.
   */
  livePaceMs: 8,
  /**
   * All streams of an event have got a message. A person does not notice it, and the next message
   * is not due yet.
   */
  liveSpreadMs: 480,
  /**
   * Interval of a read that pages which watch an event share. The next message is not due earlier.
   */
  sharedReadMs: 1000,
  /** Pause after a failure to follow an event. The service may be restarting. */
  liveRetryPauseMs: 1000,
  /**
   * The limit of a session waits for Redis, then this process counts by itself. A slow Redis must
   * not slow down every request.
   */
  rateLimitMs: 50,
  /**
   * The window of the limits of sessions and addresses. They are numbers of requests per minute.
   */
  rateLimitWindowMs: 60_000,
};
