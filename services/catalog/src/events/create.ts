import type { CreateEvent } from '@event-api/contracts/http/events';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { Event } from './event.entity.ts';
import { generatePublicId } from './public-id.ts';
import { eventSource } from './queries.ts';
import { dateOrderIssues } from './rules.ts';

const publicIdAttempts = 5;

/**
 * Makes a draft event in the caller's business unit, in the unit's default currency.
 * Errors: 400 when it ends before it starts.
 */
export async function createEvent(
  db: Database,
  caller: Caller,
  input: z.output<typeof CreateEvent>,
): Promise<Event> {
  const { name, timezone, startsAt = null, endsAt = null } = input;
  const issues = dateOrderIssues({ startsAt, endsAt });
  if (issues.length > 0) throw invalidArgument(issues);
  const id = newId('evt');
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(async (tx) => {
        const { em } = tx;
        const { businessUnitId } = caller;
        const existing = isRetry() && (await em.findOne(Event, { id, businessUnitId }));
        if (existing) return existing;
        const event = em.create(Event, {
          id,
          businessUnitId,
          publicId: generatePublicId(name),
          name,
          timezone,
          startsAt,
          endsAt,
          currency: caller.defaultCurrency,
        });
        await em.flush();
        await eventSource.emit(tx, [event.id]);
        return event;
      });
    } catch (error) {
      // Six random characters meet again now and then; another six are as good.
      const taken = violatedUniqueConstraint(error) === 'event_public_id_unique';
      if (!taken || attempt === publicIdAttempts) throw error;
    }
  }
}
