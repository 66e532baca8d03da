/** A wait that happens within another one. */
export interface Budget {
  /** The waits that follow one another in the worst case; their sum counts. */
  inner: readonly string[];
  outer: string;
  /** Why the outer wait must not end first. */
  why: string;
  /** Why it may end first all the same. Only for a sum that exceeds the outer wait. */
  exception?: string;
}

/** Every wait within another one, from the client inwards, then background work and shutdown. */
export const budgets: readonly Budget[] = [
  // Requests, seen from the gateway.
  {
    inner: ['readAfter.waitMs', 'projection.refreshMs', 'http.serviceCallMs'],
    outer: 'gateway.upstreamMs',
    why: 'A service calls another one after it has waited for its projections. It must respond with the cause before the gateway responds with a 504.',
  },
  {
    inner: ['readAfter.waitMs', 'database.connectMs', 'database.queryMs'],
    outer: 'gateway.upstreamMs',
    why: 'A service without its database must respond with a 503 before the gateway responds with a 504.',
  },
  {
    inner: [
      'readAfter.waitMs',
      'projection.refreshMs',
      'http.serviceCallMs',
      'http.serviceCallMs',
      'http.serviceCallMs',
    ],
    outer: 'gateway.upstreamMs',
    why: 'Placing an order reserves seats, locks the currency and releases the seats after a failure.',
    exception:
      'Registration and catalog must be slow one after the other. The seats expire, and a retry with the same key finds the order.',
  },
  {
    inner: ['readAfter.waitMs', 'registration.admissionMaxWaitMs', 'projection.refreshMs'],
    outer: 'gateway.upstreamMs',
    why: 'A registration that waited too long in the queue must be a 503, not a 504 with an unknown result.',
  },
  {
    inner: ['readAfter.waitMs', 'onsite.batchMaxWaitMs', 'onsite.badgesMs', 'database.queryMs'],
    outer: 'gateway.upstreamMs',
    why: 'A batch of scans that waited too long must be a 503, not a 504 with an unknown result.',
  },
  {
    inner: ['readAfter.waitMs', 'registration.promotionBeforeReadMs'],
    outer: 'gateway.upstreamMs',
    why: 'A read of registrations waits for a promotion and still responds.',
  },
  {
    inner: [
      'readAfter.waitMs',
      'registration.promotionBeforeReadMs',
      'projection.refreshMs',
      'registration.drawBadgeMs',
    ],
    outer: 'gateway.upstreamMs',
    why: 'A badge waits for a promotion, for the name of its event and for the thread that draws it.',
  },
  {
    inner: [
      'readAfter.waitMs',
      'registration.promotionBeforeReadMs',
      'projection.refreshMs',
      'registration.drawBadgesMs',
    ],
    outer: 'console.commandMs',
    why: 'A file of many badges must be a 503 of registration before the console responds with a 504.',
  },
  {
    inner: ['readAfter.waitMs', 'catalog.promotionMs'],
    outer: 'gateway.upstreamMs',
    why: 'An update of a ticket type waits for the promotion and still responds.',
  },
  {
    inner: ['readAfter.waitMs', 'commerce.expirePaymentMs', 'http.serviceCallMs'],
    outer: 'gateway.upstreamMs',
    why: 'A cancellation ends the payment session, then releases the seats.',
  },
  {
    inner: ['readAfter.waitMs', 'commerce.providerRequestMs'],
    outer: 'gateway.upstreamMs',
    why: 'Opening a payment page must respond with a 503 when the provider is slow.',
  },
  {
    inner: ['gateway.connectMs'],
    outer: 'gateway.upstreamMs',
    why: 'An unreachable service is a 503, not a 504.',
  },
  {
    inner: ['gateway.upstreamMs'],
    outer: 'sandbox.notificationMs',
    why: 'The sandbox must not repeat a notification that the platform is still processing.',
  },
  {
    inner: ['http.requestCheckIntervalMs'],
    outer: 'http.requestMs',
    why: 'A request that arrives too slowly is rejected soon after its timeout.',
  },
  // Calls between services.
  {
    inner: ['readAfter.waitMs', 'registration.admissionMaxWaitMs', 'registration.promotionOwnerMs'],
    outer: 'http.serviceCallMs',
    why: 'Registration must not admit a request of commerce that commerce has given up.',
  },
  {
    inner: ['database.connectMs', 'database.queryMs'],
    outer: 'http.serviceCallMs',
    why: 'The called service responds with a 503 before its caller gives up.',
    exception:
      'The caller responds with the same 503, and repeats what may have taken effect. Both waits reach their limit only while the database hangs.',
  },
  {
    inner: ['database.connectMs', 'database.queryMs'],
    outer: 'projection.refreshMs',
    why: 'The owner of a record responds before its caller gives up.',
    exception:
      'The caller responds with a 503 after a second because its client waits. The owner reads one row and has no effect.',
  },
  {
    inner: ['readAfter.waitMs'],
    outer: 'http.serviceCallMs',
    why: 'A service waits for its projections and still responds.',
  },
  {
    inner: ['registration.badgeReadAfterMs', 'registration.badgePromotionMs'],
    outer: 'onsite.ownerMs',
    why: 'Registration responds before onsite stops waiting and decides by its projection.',
  },
  {
    inner: ['onsite.ownerMs'],
    outer: 'projection.refreshMs',
    why: 'A scan stops waiting before the refresh ends, which other requests may share.',
  },
  {
    inner: ['onsite.readAfterMs'],
    outer: 'readAfter.waitMs',
    why: 'A scan waits less than other requests.',
  },
  {
    inner: ['registration.promotionOwnerMs'],
    outer: 'catalog.promotionMs',
    why: 'Registration fetches the ticket types from catalog before it promotes for catalog.',
  },
  {
    inner: ['stream.publishMs'],
    outer: 'catalog.promotionMs',
    why: 'Registration publishes the promotion before it responds.',
  },
  {
    inner: ['readAfter.stalledWaitMs'],
    outer: 'readAfter.waitMs',
    why: 'A stalled projection costs less than a full wait.',
  },
  {
    inner: ['database.connectMs', 'database.queryMs'],
    outer: 'http.snapshotPageMs',
    why: 'The owner responds with a page or a 503 before the resync gives up.',
  },
  {
    inner: ['http.snapshotPageMs'],
    outer: 'http.resyncMs',
    why: 'A slow page does not fail the command.',
  },
  {
    inner: ['http.resyncMs'],
    outer: 'operators.requestMs',
    why: 'The command responds with a 503 before its client gives up.',
  },
  // Idempotency keys: no second run begins while the first one may still have an effect.
  {
    inner: ['gateway.upstreamMs'],
    outer: 'idempotency.leaseMs',
    why: 'A retry after a 504 must not run beside the first request.',
  },
  {
    inner: ['operators.requestMs'],
    outer: 'idempotency.leaseMs',
    why: 'A repeated command must not run beside the first one.',
  },
  {
    inner: [
      'readAfter.waitMs',
      'projection.refreshMs',
      'http.serviceCallMs',
      'http.serviceCallMs',
      'http.serviceCallMs',
      'commerce.providerRequestMs',
      'database.connectMs',
      'database.queryMs',
    ],
    outer: 'idempotency.leaseMs',
    why: 'The longest request ends before another run takes over its key.',
  },
  {
    inner: ['idempotency.leaseMs'],
    outer: 'idempotency.retentionMs',
    why: 'A key must not be deleted while its request runs.',
  },
  // Database.
  {
    inner: ['database.lockMs'],
    outer: 'database.statementMs',
    why: 'The error must name the lock.',
  },
  {
    inner: ['database.statementMs'],
    outer: 'database.queryMs',
    why: 'The server must end a statement before the client drops the connection.',
  },
  {
    inner: ['database.migrationLockMs'],
    outer: 'database.lockMs',
    why: 'Statements queue behind the lock of a migration and must not fail.',
  },
  {
    inner: ['database.migrationLockMs', 'database.migrationRetryIntervalMs'],
    outer: 'database.migrationMs',
    why: 'A migration has more than one attempt.',
  },
  {
    inner: ['stream.relayPublishMs'],
    outer: 'database.idleInTransactionMs',
    why: 'The relay publishes within a transaction, which locks the rows.',
  },
  // Redis and API keys.
  {
    inner: ['gateway.rateLimitMs'],
    outer: 'gateway.redisHangsAfterMs',
    why: 'One slow response does not show that Redis hangs.',
  },
  {
    inner: ['redis.pingIntervalMs', 'redis.pingIntervalMs'],
    outer: 'redis.socketMs',
    why: 'An idle connection must not time out.',
  },
  {
    inner: ['gateway.keyPollIntervalMs'],
    outer: 'gateway.keySafeGapMs',
    why: 'A regular poll is not a gap.',
  },
  {
    inner: ['gateway.keySafeGapMs'],
    outer: 'gateway.keyChangeWindowSeconds',
    why: 'A poll must read every change since the previous one.',
  },
  // Devices.
  {
    inner: ['readAfter.waitMs', 'projection.refreshMs'],
    outer: 'gateway.deviceEventMs',
    why: 'Onsite responds with the cause before the gateway gives up.',
  },
  {
    inner: ['gateway.deviceEventMs', 'database.connectMs', 'database.queryMs'],
    outer: 'console.commandMs',
    why: 'A pairing code is created after the doors were read, and the console still waits.',
  },
  // Background work.
  {
    inner: ['stream.publishMs'],
    outer: 'stream.relayMinAgeMs',
    why: 'The relay must not publish what a request is still publishing.',
  },
  {
    inner: ['projection.messagesMs'],
    outer: 'projection.checkpointIntervalMs',
    why: 'The interval of the checkpoint can end only between two waits for messages.',
  },
  {
    inner: ['projection.heartbeatIntervalMs', 'projection.heartbeatIntervalMs'],
    outer: 'projection.pullMs',
    why: 'Heartbeats must reveal a lost request before it ends.',
  },
  {
    inner: ['commerce.providerRequestMs'],
    outer: 'commerce.RETRY_MIN_IDLE_MS',
    why: 'The job must not repeat a step while a request still waits for the provider.',
  },
  {
    inner: ['http.serviceCallMs'],
    outer: 'commerce.RETRY_MIN_IDLE_MS',
    why: 'The job must not repeat a step while a request still waits for registration.',
  },
  {
    inner: ['commerce.RETRY_INTERVAL_MS', 'commerce.providerRequestMs'],
    outer: 'commerce.SESSION_EXPIRY_LEAD_MS',
    why: 'A payment session must be expired before the hold of its order.',
  },
  {
    inner: ['projection.messagesMs'],
    outer: 'http.resyncMs',
    why: 'A resync that another process requests begins while its operator waits.',
  },
  {
    inner: ['commerce.SESSION_EXPIRY_LEAD_MS'],
    outer: 'registration.SEAT_RESERVATION_MS',
    why: 'A buyer needs time to pay.',
  },
  // Shutdown.
  {
    inner: ['http.keepAliveMs'],
    outer: 'runtime.DRAIN_IDLE_TIMEOUT_MS',
    why: 'Other processes must close their idle connections first, so that no request arrives on a closing one.',
  },
  {
    inner: [
      'runtime.DRAIN_IDLE_TIMEOUT_MS',
      'shutdown.requestArrivalMs',
      'telemetry.closeMs',
      'stream.flushMs',
    ],
    outer: 'shutdown.drainMs',
    why: 'A service drains its listeners, then sends its spans, then publishes the rest of its outbox.',
  },
  {
    inner: ['runtime.DRAIN_IDLE_TIMEOUT_MS', 'gateway.drainStallMs', 'telemetry.closeMs'],
    outer: 'shutdown.drainMs',
    why: 'The gateway must not wait for clients that do not read.',
  },
  {
    inner: ['runtime.DRAIN_IDLE_TIMEOUT_MS', 'gateway.upstreamMs', 'telemetry.closeMs'],
    outer: 'shutdown.drainMs',
    why: 'A request that arrives at the end of the idle time is completed.',
    exception:
      'Such a request has 6.5 seconds, then the process ends. A supervisor would send SIGKILL to a longer drain.',
  },
  {
    inner: ['telemetry.exportMs'],
    outer: 'telemetry.closeMs',
    why: 'The last spans are sent.',
    exception: 'Spans are lost rather than delaying the end of the process.',
  },
  {
    inner: ['kubernetes.preStopSeconds', 'shutdown.drainMs'],
    outer: 'kubernetes.terminationGracePeriodSeconds',
    why: 'The drain must end before SIGKILL, which interrupts requests and the publishing of the outbox.',
  },
  {
    inner: ['shutdown.drainMs'],
    outer: 'compose.stopGracePeriodSeconds',
    why: 'The drain must end before SIGKILL, which interrupts requests and the publishing of the outbox.',
  },
  // Console.
  {
    inner: ['readAfter.waitMs', 'projection.refreshMs', 'http.serviceCallMs'],
    outer: 'console.apiMs',
    why: 'A service responds with the cause before the console responds with a 504.',
  },
  {
    inner: ['console.slowReadMs', 'console.readinessMs'],
    outer: 'console.apiMs',
    why: 'A page names a part that hangs before the request to it ends by itself.',
  },
  {
    inner: ['http.resyncMs'],
    outer: 'console.commandMs',
    why: 'The command responds with a 503 before the console gives up.',
  },
  {
    inner: ['console.commandMs'],
    outer: 'idempotency.leaseMs',
    why: 'A form that is submitted again must not run beside the first request.',
  },
  // Webhooks.
  {
    inner: ['changes.webhookConnectMs'],
    outer: 'changes.webhookResponseMs',
    why: 'An endpoint that connects late must still have time to respond.',
  },
  {
    inner: [
      'changes.leaseRenewalIntervalMs',
      'changes.leaseRenewalIntervalMs',
      'changes.leaseMarginMs',
    ],
    outer: 'changes.leaseMs',
    why: 'A renewal that fails is repeated before the process must stop to send.',
  },
  {
    inner: ['changes.deliveryDrainMs', 'changes.leaseMarginMs'],
    outer: 'shutdown.drainMs',
    why: 'The results of the last requests are stored, and the leases released, before the process must end.',
  },
];

/** Compares each inner wait with its outer one. Returns one line per violation. */
export function findViolations(
  list: readonly Budget[],
  values: ReadonlyMap<string, number>,
): string[] {
  return list.flatMap(({ inner, outer, exception }) => {
    const unknown = [...inner, outer].filter((id) => !values.has(id));
    if (unknown.length > 0) return unknown.map((id) => `${id} does not exist`);
    const sum = sumOf(inner, values);
    const limit = values.get(outer) ?? 0;
    const pair = `${inner.join(' + ')} (${sum} ms) within ${outer} (${limit} ms)`;
    if (sum > limit && exception === undefined) return [`${pair}: the outer wait ends first`];
    if (sum <= limit && exception !== undefined) return [`${pair}: the exception is not needed`];
    return [];
  });
}

export const sumOf = (ids: readonly string[], values: ReadonlyMap<string, number>): number =>
  ids.reduce((sum, id) => sum + (values.get(id) ?? 0), 0);
