import type { BenchEnvironment } from './environment.ts';
import { expectSuccess, runFor, type Sale, type SendRequest, sale, startBuyers } from './sale.ts';
import { median } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

/** Orders of a group, whose seats are all open, against orders that name everybody. */
export interface GroupFigures {
  openPerSecond: number;
  namedPerSecond: number;
  /** The cost of an order of open seats, by the cost of one of named seats. */
  overNamed: Verdict;
}

const seats = 20;
const clients = 8;

/** Errors: an order that is not paid; other seats than those sold are taken at the end. */
export async function benchGroups(
  environment: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<GroupFigures> {
  const send = await startBuyers(environment);
  const hot = await sale(send, 1_000_000);
  const perSecond = async (isOpen: boolean) =>
    (await runFor(roundMs, () => orderGroup(send, hot, isOpen), clients)) / (roundMs / 1000);
  for (const isOpen of [true, false]) await perSecond(isOpen);
  const [open, named]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    named.push(await perSecond(false));
    open.push(await perSecond(true));
    environment.progress.say(
      `round ${round}: ${open.at(-1)?.toFixed(1)} orders/s of open seats, ${named.at(-1)?.toFixed(1)} of named ones`,
    );
  }
  const { confirmed, held } = await expectSuccess(send, 'GET', `${hot.typePath}/availability`);
  if (confirmed + held !== hot.sold) {
    throw new Error(`${hot.sold} seats were sold, but ${confirmed} and ${held} are taken`);
  }
  const ratios = named.map((each, round) => each / (open[round] ?? Number.NaN));
  const aim = { name: `order of ${seats} open seats ÷ of named seats, cost`, atMost: 1.2 };
  return {
    openPerSecond: median(open),
    namedPerSecond: median(named),
    overNamed: judge(aim, { ratios, baseline: named }),
  };
}

let count = 0;

async function orderGroup(send: SendRequest, hot: Sale, isOpen: boolean): Promise<void> {
  count += 1;
  const attendees = Array.from({ length: isOpen ? 0 : seats }, (_, n) => ({
    email: `g${count}-${n}@example.com`,
  }));
  const items = [{ itemType: 'registration_type', itemId: hot.typeId, quantity: seats, attendees }];
  const body = { email: `group${count}@example.com`, items, assignLater: isOpen };
  const { id } = await expectSuccess(send, 'POST', `${hot.path}/orders`, body);
  const { status } = await expectSuccess(send, 'POST', `${hot.path}/orders/${id}/confirm`, {});
  if (status !== 'paid') throw new Error(`the order is ${status}`);
  hot.sold += seats;
}

export const describeGroups = ({
  openPerSecond,
  namedPerSecond,
  overNamed,
}: GroupFigures): string =>
  `orders of ${seats} seats: ${openPerSecond.toFixed(1)}/s open, ${namedPerSecond.toFixed(1)}/s named\n${describeVerdict(overNamed)}`;
