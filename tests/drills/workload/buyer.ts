import type { SeededRandom } from '@event-api/platform/testing/random';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import type { Client } from '../environment/client.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';

/** A client that works on one sale. */
export interface Buyer {
  sale: SaleFixture;
  client: Client;
  operator: OperatorClient;
  history: History;
  random: SeededRandom;
  /** Returns an email address. There are fewer addresses than requests, so addresses repeat. */
  email(): string;
}
