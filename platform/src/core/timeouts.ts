// Timeouts, intervals, lifetimes and numbers of attempts of the runtime. The end of a name is its
// unit. The first sentence of a comment says what the value limits, the other sentences why it has
// this value: `npm run timeouts` prints them, and tools/timeouts/budgets.ts compares waits with
// those of their callers.

/** Requests and calls between services */
export const httpTimeouts = {
  /** A request arrives completely. A client that sends slowly would occupy a connection. */
  requestMs: 15_000,
  /**
   * Interval of checks for requests that arrive too slowly. Node checks only every 30 seconds by
   * default.
   */
  requestCheckIntervalMs: 5000,
  /**
   * An idle connection between processes stays open. The caller closes it two seconds earlier, so
   * that no request arrives on a closing connection.
   */
  keepAliveMs: 3000,
  /**
   * A call of another service, unless stated otherwise. It ends before the gateway gives up, so
   * that the client gets a response that names the cause.
   */
  serviceCallMs: 5000,
  /**
   * A page of snapshots from their owner. A page has up to 500 records, and only a resync waits for
   * it.
   */
  snapshotPageMs: 10_000,
  /**
   * The operator command that rebuilds projections responds. It ends before the operator's client
   * gives up.
   */
  resyncMs: 20_000,
  /**
   * Interval of attempts to reach the database after the start. The process becomes ready soon
   * after its database.
   */
  readinessIntervalMs: 250,
  /**
   * A dependency that has not been available for this time from the start is an error. Servers that
   * start together are available sooner.
   */
  dependencyStartMs: 30_000,
  /**
   * Longest pause after a large body. One slow body must not block the queue of large bodies for
   * long.
   */
  largeBodyMaxPauseMs: 500,
};

/** Idempotency keys */
export const idempotencyTimeouts = {
  /**
   * The lease of a key, after which a retry takes over an interrupted run. It is longer than every
   * request, so that two runs never overlap.
   */
  leaseMs: 30_000,
  /** A key is valid and its response stored. The API promises a day. */
  retentionMs: 24 * 3_600_000,
  /** Interval of the deletion of expired keys. Each deletion stays short at the highest load. */
  cleanupIntervalMs: 20_000,
  /**
   * Shortest pause between two batches of deletions. Requests get time on the database even after a
   * fast batch.
   */
  cleanupMinPauseMs: 10,
};

/** Caller tokens */
export const callerTokenTimeouts = {
  /**
   * A caller token is valid. It limits the use of a stolen token, and a process signs each token
   * only twice a minute.
   */
  lifetimeSeconds: 60,
  /**
   * Difference of clocks that caller tokens tolerate. Clocks of machines differ. A token is
   * therefore accepted for this time after its lifetime, too.
   */
  clockToleranceSeconds: 300,
};

/** Database */
export const databaseTimeouts = {
  /** A request waits for a free connection, otherwise 503. A longer queue would only grow. */
  connectMs: 2000,
  /**
   * An unused connection stays open. A new one plans all its statements again, so a process that
   * closes its connections after seconds responds slowly at the start of a rush.
   */
  idleConnectionMs: 5 * 60_000,
  /** A statement runs. Every statement uses an index and takes milliseconds. */
  statementMs: 3000,
  /** The server responds to a statement. An unresponsive server does not enforce its own limits. */
  queryMs: 3500,
  /** Interval of checks whether the database responds. An alert waits for minutes. */
  checkIntervalMs: 2000,
  /**
   * A statement waits for a lock. It ends before the statement itself, so that the error names the
   * lock.
   */
  lockMs: 2000,
  /** A transaction is idle. A hanging process must not hold its locks. */
  idleInTransactionMs: 5000,
  /**
   * A connection is silent before either side tests it. A host that is lost closes no connection,
   * and the system would test it only after two hours.
   */
  keepAliveMs: 5000,
  /** Interval of such tests by the server. Most of the time is the silence before. */
  keepAliveIntervalMs: 2000,
  /** Unanswered tests after which the server ends the session. Its locks are free soon. */
  keepAliveAttempts: 3,
  /**
   * Data that the server has sent is not acknowledged. Such a session ends as soon as a silent one.
   */
  unacknowledgedMs: 11_000,
  /**
   * Attempts of a transaction after a deadlock or a serialization failure. More would hide a
   * conflict that needs another solution.
   */
  transactionAttempts: 3,
  /**
   * Longest pause before the second attempt of a transaction. A random pause separates the
   * transactions.
   */
  transactionRetryMaxPauseMs: 20,
  /**
   * A migration waits for a table lock. Statements of the running services queue behind it and must
   * not fail.
   */
  migrationLockMs: 500,
  /** Interval of attempts of a migration. The statements that queued meanwhile complete first. */
  migrationRetryIntervalMs: 1000,
  /**
   * A migration tries to get its locks, and an index waits for a transaction. A longer transaction
   * of a service is an error that an operator must see.
   */
  migrationMs: 60_000,
};

/** Stream and outbox */
export const streamTimeouts = {
  /** A request of NATS. A server that accepts a connection but does not respond is retried soon. */
  requestMs: 2000,
  /** Interval of reconnects to NATS. Publishing resumes soon after a restart of the server. */
  reconnectIntervalMs: 100,
  /**
   * Longest random addition to the interval of reconnects. Processes do not reconnect all at once.
   */
  reconnectJitterMs: 50,
  /**
   * Interval of pings to NATS; two missed ones end the connection. A hanging server is detected
   * within twelve seconds. Requests wait for it much shorter.
   */
  pingIntervalMs: 4000,
  /**
   * Shortest pause after a failure to open the stream. Most failures end with the start of the
   * server.
   */
  openMinBackoffMs: 50,
  /**
   * Longest pause after a failure to open the stream. Publishing resumes soon after a long outage.
   */
  openMaxBackoffMs: 1000,
  /** Interval of checks of the stream. Deleting a stream breaks no connection. */
  checkIntervalMs: 2000,
  /**
   * Pause before a deleted stream is created again. The server deletes its files in the background
   * and would also delete those of a stream that is created with the same name in the meantime.
   */
  recreateDelayMs: 1000,
  /**
   * The stream keeps a message. A service that was stopped over a weekend continues where it was.
   */
  retentionMs: 7 * 24 * 3_600_000,
  /**
   * A request waits for its messages to be published. The relay publishes them later, so a write
   * need not wait.
   */
  publishMs: 250,
  /** The relay waits for a message to be published. No client waits for it. */
  relayPublishMs: 2000,
  /** Interval of the relay. It also publishes the messages of a process that was killed. */
  relayIdleIntervalMs: 1000,
  /** Interval of the relay while messages remain. A backlog is published quickly. */
  relayBusyIntervalMs: 300,
  /** Age of a row that the relay publishes. Its request may still be publishing a younger one. */
  relayMinAgeMs: 1000,
  /**
   * Published rows are marked together after this time. One statement marks the rows of many
   * requests.
   */
  markDelayMs: 50,
  /**
   * Age of the rows that are published again after the stream has lost messages. A server loses at
   * most its last two minutes.
   */
  requeueAgeMs: 10 * 60_000,
  /**
   * Interval of checks whether the database was restored to an earlier state. Each new connection
   * causes a check, too, so this one finds only what those have missed.
   */
  lineageCheckIntervalMs: 60_000,
  /**
   * Such a check reads own messages from the stream. Usually there are none; the next attempt
   * follows soon.
   */
  lineageReadMs: 10_000,
  /**
   * Attempts of such a check. Each fails only if another process changes the state at the same
   * moment.
   */
  lineageAttempts: 3,
  /**
   * A starting process waits for the first check before it is ready. Without NATS it serves
   * nevertheless.
   */
  lineageStartMs: 2000,
  /** Interval of the deletion of published rows. One deletion stays short. */
  deleteIntervalMs: 10 * 60_000,
  /** Published rows are kept. They show what a stream that was lost contained. */
  publishedRetentionMs: 24 * 3_600_000,
  /**
   * Publishing the remaining messages at shutdown. The relay of another process publishes the rest.
   */
  flushMs: 2000,
  /**
   * Interval of attempts to publish the remaining messages. Another process may be publishing them.
   */
  flushRetryIntervalMs: 20,
};

/** Projections */
export const projectionTimeouts = {
  /**
   * Interval of attempts to become the leader. A new process takes over soon after the end of the
   * leader.
   */
  leaderRetryIntervalMs: 200,
  /**
   * Interval at which the leader tests the connection with its lock. The server may be gone with the
   * lock, and another process may lead.
   */
  leaderCheckIntervalMs: 2000,
  /**
   * The server confirms the end of the connection with the lock. It does so at once, or is gone.
   */
  leaderReleaseMs: 500,
  /** Interval of checks whether this process can read the stream. A connect ends the wait early. */
  idleIntervalMs: 100,
  /** Shortest pause after a failure of the projector. Most failures are short. */
  minBackoffMs: 50,
  /**
   * Longest pause after a failure of the projector. Projections are up to date soon after a long
   * outage.
   */
  maxBackoffMs: 1000,
  /**
   * A failure of the projector is not a warning. At the start the other services may not be up yet.
   */
  warnAfterMs: 10_000,
  /**
   * The projector waits for messages. It then writes its checkpoint, or checks whether another
   * process has requested a resync.
   */
  messagesMs: 500,
  /**
   * One pull request is valid. Servers of version 2.9 sometimes end one without a notice, so
   * requests are long.
   */
  pullMs: 10 * 60_000,
  /**
   * Interval of heartbeats of a pull request; two missed ones end it. A lost request is noticed
   * within six seconds.
   */
  heartbeatIntervalMs: 3000,
  /**
   * The checkpoint is written at least this often while no relevant message arrives. A write per
   * message is too much.
   */
  checkpointIntervalMs: 1000,
  /** Interval of checks whether a resync has ended. Operators wait for it. */
  resyncPollIntervalMs: 50,
  /**
   * A record is fetched from its owner before a rejection, otherwise 503. A rejection may be slow
   * but must be right.
   */
  refreshMs: 1000,
  /**
   * An owner returns the lineage of its database before the projector follows the stream. If it
   * does not respond, the projector follows nevertheless.
   */
  lineageMs: 1000,
  /**
   * Interval of such requests to an owner that has not responded. Decisions depend on it meanwhile.
   */
  lineageRetryIntervalMs: 1000,
  /**
   * Shortest pause between rebuilds while the lineage of an owner alternates. Each further one is
   * twice as long.
   */
  lineageResyncMinPauseMs: 5000,
  /** Longest pause between such rebuilds. Decisions fetch records from their owners meanwhile. */
  lineageResyncMaxPauseMs: 60_000,
  /**
   * Time without such a rebuild after which the next one needs no pause. Wrong settings cause them
   * more often.
   */
  lineageResyncQuietMs: 10 * 60_000,
  /** A process remembers whether projections can be trusted. Every decision depends on it. */
  trustTtlMs: 100,
  /**
   * Attempts to replace a projected record. Each fails only if a message changes it at the same
   * moment.
   */
  replaceAttempts: 2,
  /**
   * A process remembers that a record exists. Records disappear only when a database is restored.
   */
  existsTtlMs: 5000,
};

/** Change feed */
export const changeTimeouts = {
  /**
   * A service keeps its own log of changes. It exceeds the retention of the feed by a week for a
   * feed that lags.
   */
  logRetentionMs: 97 * 24 * 3_600_000,
  /** Interval of the deletion of older changes. One deletion stays short. */
  logCleanupIntervalMs: 10 * 60_000,
  /**
   * Shortest time between two notices of new changes. Each causes a request of the feed and two
   * commits; a change appears within 250 ms.
   */
  noticeIntervalMs: 100,
};

/** Read-after */
export const readAfterTimeouts = {
  /** A read waits for the projections. They are rarely more than some milliseconds behind. */
  waitMs: 1000,
  /** The same wait while the projections do not advance. An outage costs each request little. */
  stalledWaitMs: 50,
  /** Interval of reads of the checkpoint during a wait. Another process may apply the messages. */
  pollIntervalMs: 5,
  /** A token is stored. The projections have reached it long before. */
  ttlMs: 60_000,
  /** Tokens are read from or written to Redis. The tokens of this gateway are in memory, too. */
  redisMs: 50,
};

/** Connection to Redis */
export const redisTimeouts = {
  /** A connection is established. Callers have a fallback and need no patience. */
  connectMs: 1000,
  /**
   * The server sends something. It must respond to a ping within this time. Callers stop waiting
   * for it much earlier.
   */
  socketMs: 5000,
  /** Interval of pings. Two fit into the timeout of the socket. */
  pingIntervalMs: 2000,
  /**
   * Shortest pause before a reconnect; each further one is twice as long. Most outages are a
   * restart.
   */
  reconnectMinBackoffMs: 50,
  /** Longest pause before a reconnect. The shared count is used soon after a long outage. */
  reconnectMaxBackoffMs: 1000,
};

/** Telemetry */
export const telemetryTimeouts = {
  /** Interval at which spans are sent. One request carries many spans. */
  exportIntervalMs: 1000,
  /**
   * A read whose trace is exported in any case takes longer. Its objective is in the runbook, and a
   * slower one counts against the error budget.
   */
  slowReadMs: 250,
  /** Another request whose trace is exported in any case takes longer. It is the objective, too. */
  slowWriteMs: 500,
  /** The collector accepts spans. Spans are lost rather than kept in memory. */
  exportMs: 4000,
  /** Sending the remaining spans at shutdown. Spans matter less than a quick restart. */
  closeMs: 2000,
  /**
   * Interval of reads of the gauges of outbox, projections and stream. Alerts allow for minutes.
   */
  messagingIntervalMs: 5000,
};

/** Logs of failures that repeat */
export const failureLogTimeouts = {
  /**
   * Pause after the first report of a failure; each further one is twice as long. A log remains
   * readable.
   */
  minPauseMs: 10_000,
  /** Longest pause between two reports. The newest part of a log names the outage. */
  maxPauseMs: 3_600_000,
  /**
   * Time without a failure after which the next one is a new outage. Most failing work is retried
   * sooner.
   */
  quietMs: 60_000,
};

/** Shutdown */
export const shutdownTimeouts = {
  /** A process ends after SIGTERM. Supervisors send SIGKILL after ten seconds. */
  drainMs: 9500,
  /**
   * A request that is still arriving when the listeners close may take longer. A closing server no
   * longer times out slow requests.
   */
  requestArrivalMs: 1000,
  /**
   * Interval of checks whether all connections are closed. A drain ends soon after the last one.
   */
  pollIntervalMs: 20,
};
