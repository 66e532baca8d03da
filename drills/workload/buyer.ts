import type { OperatorClient } from '@event-api/scripts/operator-client';
import type { Client } from '../client.ts';
import type { History } from '../journal.ts';
import type { SeededRandom } from '../random.ts';
import type { SaleFixture } from '../shops.ts';

/** A client at work in one shop. */
export interface Buyer {
  sale: SaleFixture;
  client: Client;
  operator: OperatorClient;
  history: History;
  random: SeededRandom;
  /** Somebody's address; the crowd is smaller than the number of requests. */
  email(): string;
}
