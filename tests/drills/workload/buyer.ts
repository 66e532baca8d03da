import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import type { Client } from '../environment/client.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';
import type { SeededRandom } from '../history/random.ts';

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
