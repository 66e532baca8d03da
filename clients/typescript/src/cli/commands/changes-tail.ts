import { getChangesHead } from '../../generated/sdk.gen.ts';
import type { Command } from '../command.ts';
import { connect } from '../config.ts';
import { describeChange } from '../describe-change.ts';
import { feedOptions, followFeed } from '../feed.ts';

/** Prints changes as they happen. */
export const changesTail: Command = {
  name: 'changes tail',
  group: 'Development',
  summary: 'Print changes as they happen, until Ctrl-C.',
  example: 'changes tail --types order.paid,order.refunded',
  options: {
    ...feedOptions,
    after: { value: 'cursor', summary: 'begin after this cursor, not at the end of the feed' },
    'until-end': { summary: 'stop at the end of the feed' },
  },
  notes: ['Needs a key with the group read.'],
  async run(invocation) {
    const { terminal, text, isSet, json } = invocation;
    const client = await connect(terminal);
    const after = text('after');
    const from = after ? { cursor: after, digest: null } : await getChangesHead({ client });
    if (!isSet('until-end')) terminal.note('waiting for changes; Ctrl-C ends');
    const print = async (page: Parameters<typeof describeChange>[0][]) => {
      for (const change of page) {
        terminal.print(json ? JSON.stringify(change) : describeChange(change));
      }
    };
    await followFeed(client, invocation, from, print, isSet('until-end'));
  },
};
