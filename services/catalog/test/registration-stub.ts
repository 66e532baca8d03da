import type { AddressInfo } from 'node:net';
import { promoteWaitlist, promoteWaitlistsOfGroups } from '@event-api/contracts/internal/waitlist';
import { createLogger } from '@event-api/platform/core/log';
import type { CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';

export type Promote = (
  input: z.output<typeof promoteWaitlist.schema.body>,
) => Promise<z.output<(typeof promoteWaitlist.schema.response)[200]>>;

type PromoteGroups = (
  input: z.output<typeof promoteWaitlistsOfGroups.schema.body>,
) => Promise<z.input<(typeof promoteWaitlistsOfGroups.schema.response)[200]>>;

/** An HTTP server for registration's promotion of the waitlist. Tests set its responses. */
export async function startRegistrationStub() {
  const log = createLogger({ service: 'registration', level: 'silent' });
  const app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  let callers: CallerVerifier | null = null;
  let promote: Promote = async () => ({ seatLedger: null, seatLedgersOfGroups: [] });
  let promoteGroups: PromoteGroups = async () => ({ seatLedgersOfGroups: [] });
  requireCaller(app, {
    verify: async (token, audience) => (await callers?.verify(token, audience)) ?? null,
  });
  app.route({ ...promoteWaitlist, handler: ({ body }) => promote(body) });
  app.route({ ...promoteWaitlistsOfGroups, handler: ({ body }) => promoteGroups(body) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    trust(verifier: CallerVerifier) {
      callers = verifier;
    },
    respond(next: Promote) {
      promote = next;
    },
    respondToGroups(next: PromoteGroups) {
      promoteGroups = next;
    },
    close: () => app.close(),
  };
}
