import { createHash } from 'node:crypto';
import { changes, FeedDigestError, type FeedPosition, nextDigest } from '../../changes.ts';
import type { Client } from '../../generated/client/types.gen.ts';
import { getChangesHead, listChanges } from '../../generated/sdk.gen.ts';
import type { Change } from '../../generated/types.gen.ts';
import { type Command, UsageError } from '../command.ts';
import { connect } from '../config.ts';

/** Reads the feed to its end and computes its digest. */
export const changesVerify: Command = {
  name: 'changes verify',
  group: 'Development',
  summary: 'Read the feed and prove that no change is missing.',
  example: 'changes verify',
  options: {
    after: { value: 'cursor', summary: 'begin after this cursor, with the digest at it' },
    digest: { value: 'hex', summary: 'the digest that you have stored with the cursor' },
  },
  notes: [
    `Without options it begins with the oldest change that the feed has. Prints the number of changes and the digest
    at the end. A digest that differs is an error. Needs a key with the group read.`,
  ],
  async run({ terminal, text, json }) {
    const [after, digest] = [text('after'), text('digest')];
    if ((after === undefined) !== (digest === undefined)) {
      throw new UsageError('--after and --digest belong together');
    }
    const client = await connect(terminal);
    const head = await getChangesHead({ client });
    const start =
      after && digest
        ? { position: { cursor: after, digest }, count: 0, unproven: 0 }
        : await readFirstPage(client, head.epoch);
    let { position, count } = start;
    const { signal } = terminal;
    for await (const page of changes({ client, from: position, untilEnd: true, signal })) {
      position = page.position;
      count += page.changes.length;
    }
    if (json) {
      terminal.print(JSON.stringify({ verified: count, unproven: start.unproven, ...position }));
      return;
    }
    terminal.print(`${count} changes verified`);
    if (start.unproven > 0) {
      terminal.print(`${start.unproven} changes before them have no known start`);
    }
    terminal.print(`digest  ${position.digest}`);
    terminal.print(`cursor  ${position.cursor}`);
  },
};

interface Start {
  position: FeedPosition;
  count: number;
  unproven: number;
}

/**
 * Reads the oldest changes. Their digest is proven if they are the first of the epoch; changes
 * older than the retention time leave a feed whose start is not known. Errors: FeedDigestError.
 */
async function readFirstPage(client: Client, epoch: string): Promise<Start> {
  const page = await listChanges({ client, query: { limit: 1000 } });
  const position = { cursor: page.nextCursor, digest: page.digest };
  const count = page.changes.length;
  const computed = await digestOf(epoch, page.changes);
  if (computed === page.digest) return { position, count, unproven: 0 };
  if (count === 0 || page.changes[0]?.sequence === 1) {
    throw new FeedDigestError('the first changes do not match the digest of the feed');
  }
  return { position, count: 0, unproven: count };
}

async function digestOf(epoch: string, page: readonly Change[]): Promise<string> {
  let digest = createHash('sha256').update(epoch).digest('hex');
  for (const change of page) digest = await nextDigest(digest, change);
  return digest;
}
