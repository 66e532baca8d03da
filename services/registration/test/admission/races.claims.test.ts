import type { EventScope } from '@event-api/contracts/internal/scope';
import type { AdmissionRequest } from '../../src/admission/requests.ts';
import type { ClaimRequest } from '../../src/claims/rules.ts';
import { claimOf, givenCode, givenEvent, givenType, someEmail } from '../given.ts';
import { type Course, describeRaces, unless } from './race.ts';

/** What one replica decides, in a word. */
async function ask(
  { service }: Course,
  replica: 0 | 1,
  scope: EventScope,
  asked: AdmissionRequest,
): Promise<string> {
  try {
    const { answer } = await service.replica(replica).admission.submit(scope, asked);
    if (!('outcome' in answer)) return 'revoked';
    return answer.outcome === 'refused' ? answer.reason : answer.outcome;
  } catch (error) {
    return String(error);
  }
}

const claim = (request: ClaimRequest) => ({ kind: 'claim', request }) as const;
const fulfil = (request: ClaimRequest, retake = false) =>
  ({ kind: 'fulfil', request: { ...request, retake } }) as const;
const release = ({ claimId }: ClaimRequest) =>
  ({ kind: 'release', claimId, onlyIfOver: false }) as const;
const register = (request: ClaimRequest) => {
  const [seat] = request.seats;
  if (!seat) throw new Error('nobody to register');
  return { kind: 'register', request: { ...seat, codeKey: null } } as const;
};

async function given({ sql }: Course, capacity: number | null, allowWaitlist = false) {
  const scope = await givenEvent(sql);
  const typeId = await givenType(sql, scope, { capacity, allowWaitlist });
  const order = (fields: Partial<ClaimRequest> = {}, people = 1) => {
    const emails = Array.from({ length: people }, someEmail);
    return claimOf(scope, typeId, emails, fields);
  };
  return { scope, typeId, order };
}

/** Lets a claim run out now. */
const runOut = ({ sql }: Course, { claimId }: ClaimRequest) =>
  sql('update registration.seat_claim set expires_at = clock_timestamp() where id = $1', [claimId]);

const stateOf = async ({ sql }: Course, { claimId }: ClaimRequest) => {
  const rows = await sql<{ state: string }>(
    'select state from registration.seat_claim where id = $1',
    [claimId],
  );
  return rows[0]?.state;
};

describeRaces('claims at once', {
  'a claim and a registration share the last seat': async (course) => {
    const { scope, order } = await given(course, 1);
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, claim(order())),
      ask(course, 1, scope, register(order())),
    ]);
    const winners = outcomes.filter((outcome) => outcome === 'claimed' || outcome === 'registered');
    const losers = outcomes.filter((outcome) => outcome === 'SOLD_OUT' || outcome === 'sold_out');
    return unless(winners.length === 1 && losers.length === 1, 'outcomes', outcomes);
  },

  'claims of several seats take all of theirs or none': async (course) => {
    const { scope, order } = await given(course, 10);
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ask(course, n % 2 ? 1 : 0, scope, claim(order({}, 3)))),
    );
    const claimed = outcomes.filter((outcome) => outcome === 'claimed').length;
    return unless(claimed === 3, 'claimed', claimed);
  },

  'one claim, sent to both, is one claim': async (course) => {
    const { scope, order } = await given(course, 10);
    const wanted = order({}, 2);
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, claim(wanted)),
      ask(course, 0, scope, claim(order())),
      ask(course, 1, scope, claim(order())),
      ask(course, 1, scope, claim(wanted)),
    ]);
    return unless(
      outcomes.every((outcome) => outcome === 'claimed'),
      'outcomes',
      outcomes,
    );
  },

  'a claim that has run out and a newcomer share its seat': async (course) => {
    const { scope, order } = await given(course, 1);
    const late = order();
    await ask(course, 0, scope, claim(late));
    await runOut(course, late);
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, fulfil(late, true)),
      ask(course, 1, scope, register(order())),
    ]);
    const winners = outcomes.filter((one) => one === 'fulfilled' || one === 'registered');
    return unless(winners.length === 1, 'outcomes', outcomes);
  },

  'a claim is fulfilled or expires, and gives its seat back once': async (course) => {
    const { scope, order } = await given(course, 3);
    const [mine, other] = [order(), order()];
    await ask(course, 0, scope, claim(mine));
    await runOut(course, mine);
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, fulfil(mine)),
      ask(course, 1, scope, claim(other)),
      ask(course, 1, scope, { kind: 'settle' }),
    ]);
    return unless(outcomes.join() === 'gone,claimed,settled', 'outcomes', outcomes);
  },

  'a claim is fulfilled once': async (course) => {
    const { scope, order } = await given(course, 5);
    const mine = order({}, 2);
    await ask(course, 0, scope, claim(mine));
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, fulfil(mine)),
      ask(course, 1, scope, fulfil(mine)),
    ]);
    return unless(outcomes.join() === 'fulfilled,fulfilled', 'outcomes', outcomes);
  },

  'a claim is fulfilled or released': async (course) => {
    const { scope, order } = await given(course, 5);
    const mine = order();
    await ask(course, 0, scope, claim(mine));
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, fulfil(mine)),
      ask(course, 1, scope, release(mine)),
    ]);
    const isFine = ['fulfilled,fulfilled', 'released,released'].includes(outcomes.join());
    return unless(isFine, 'outcomes', outcomes);
  },

  'a claim is released once': async (course) => {
    const { scope, order } = await given(course, 9);
    const mine = order({}, 3);
    await ask(course, 0, scope, claim(mine));
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, release(mine)),
      ask(course, 0, scope, claim(order())),
      ask(course, 1, scope, claim(order())),
      ask(course, 1, scope, release(mine)),
    ]);
    return unless(outcomes.join() === 'released,claimed,claimed,released', 'outcomes', outcomes);
  },

  'a release stays, whether its claim has arrived or not': async (course) => {
    const { scope, order } = await given(course, 5);
    const mine = order();
    await ask(course, 0, scope, { kind: 'settle' });
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, release(mine)),
      ask(course, 1, scope, claim(mine)),
    ]);
    const again = await ask(course, 1, scope, claim(mine));
    const state = await stateOf(course, mine);
    return unless(again === 'CLOSED' && state === 'released', 'claim', { outcomes, again, state });
  },

  'one email holds as many orders as it may': async (course) => {
    const { scope, order } = await given(course, null);
    await course.sql(
      `insert into registration.admission (event_id, business_unit_id, max_holds_per_email) values ($1, $2, 3)`,
      [scope.eventId, scope.businessUnitId],
    );
    const buyerEmail = someEmail();
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ask(course, n % 2 ? 1 : 0, scope, claim(order({ buyerEmail }))),
      ),
    );
    const claimed = outcomes.filter((outcome) => outcome === 'claimed').length;
    const refused = outcomes.filter((outcome) => outcome === 'TOO_MANY_HOLDS').length;
    return unless(claimed === 3 && refused === 7, 'outcomes', outcomes);
  },

  'one email has as many seats as it may, held and confirmed': async (course) => {
    const { scope, order } = await given(course, null);
    await course.sql(
      `insert into registration.admission (event_id, business_unit_id, max_seats_per_email) values ($1, $2, 5)`,
      [scope.eventId, scope.businessUnitId],
    );
    const buyerEmail = someEmail();
    const first = order({ buyerEmail }, 2);
    await ask(course, 0, scope, claim(first));
    await ask(course, 0, scope, fulfil(first));
    await course.begin();
    const outcomes = await Promise.all([
      ask(course, 0, scope, claim(order({ buyerEmail }, 2))),
      ask(course, 1, scope, claim(order({ buyerEmail }, 2))),
    ]);
    const isFine = outcomes.toSorted().join() === 'TOO_MANY_SEATS,claimed';
    return unless(isFine, 'outcomes', outcomes);
  },

  'a code is held as often as it may be': async (course) => {
    const { scope, typeId, order } = await given(course, null);
    const { code } = await givenCode(course.sql, scope, typeId, { maxUses: 5 });
    await course.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        ask(course, n % 2 ? 1 : 0, scope, claim(order({ codeKey: code.toUpperCase() }, 2))),
      ),
    );
    const claimed = outcomes.filter((outcome) => outcome === 'claimed').length;
    const exceeded = outcomes.filter((outcome) => outcome === 'CODE_USES_EXCEEDED').length;
    return unless(claimed === 2 && exceeded === 4, 'outcomes', outcomes);
  },
});
