import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { someEmail, unique } from '../fixtures.ts';
import { succeeded } from '../projection-fixtures.ts';

/** API calls about codes. `at` is called for each of them, because each test has its own event. */
export function codes(at: () => { call: HttpClient; scope: EventScope; typeId: string }) {
  const event = () => `/v1/events/${at().scope.eventId}`;
  return {
    /** Creates a custom code and returns it. */
    async createCode(fields: object = {}, type = at().typeId) {
      const body = { registrationTypeId: type, code: unique('Code'), ...fields };
      const response = await at().call('POST', `${event()}/redemption-codes`, { body });
      return succeeded(response, 201).redemptionCodes[0];
    },

    async usesOf(id: string): Promise<number> {
      const { redemptionCodes } = succeeded(await at().call('GET', `${event()}/redemption-codes`));
      return redemptionCodes.find((code: { id: string }) => code.id === id).uses;
    },

    /** Registers a new email with a code. */
    tryWith: (
      redemptionCode: string,
      call = at().call,
      type = at().typeId,
    ): Promise<TestResponse> =>
      call('POST', `${event()}/registrations`, {
        body: { email: someEmail(), registrationTypeId: type, redemptionCode },
      }),

    disable: (id: string, call = at().call): Promise<TestResponse> =>
      call('POST', `${event()}/redemption-codes/${id}/disable`),
  };
}
