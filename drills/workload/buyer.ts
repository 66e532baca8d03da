import type { OperatorClient } from '@event-api/scripts/operator-client';
import type { Client } from '../client.ts';
import type { Journal } from '../journal.ts';
import type { Choices } from '../random.ts';
import type { Shop } from '../shops.ts';

/** A client at work in one shop. */
export interface Buyer {
  shop: Shop;
  client: Client;
  operator: OperatorClient;
  journal: Journal;
  choices: Choices;
  /** Somebody's address; the crowd is smaller than the number of requests. */
  email(): string;
}
