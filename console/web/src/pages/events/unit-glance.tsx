import { useCommandRead } from '../../api/api.queries.ts';
import type { OwedRefunds } from '../../api/records.ts';
import { usePermission, useUnit } from '../../api/unit.ts';
import { type Tile, Tiles } from '../../components/list/tiles.tsx';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { eventsText } from '../../text/events.ts';

const words = eventsText.unit;

/** What a read says, or why its tile shows nothing. */
const tileValue = <T,>(
  { data, isError }: { data: T | undefined; isError: boolean },
  say: (data: T) => string,
) => (data === undefined ? (isError ? null : undefined) : say(data));

/**
 * The unit beside its events: what is owed, and who and what works in it. Each role sees its part.
 */
export function UnitGlance() {
  const { id } = useUnit();
  const [mayPay, mayInvite, mayConnect] = [
    usePermission('money'),
    usePermission('members'),
    usePermission('keys'),
  ];
  const owed = useCommandRead<{ owed: OwedRefunds[] }>('refund.summary', {}, { isEnabled: mayPay });
  const team = useCommandRead<{ members: unknown[] }>('member.list', {}, { isEnabled: mayInvite });
  const keys = useCommandRead<{ keys: { revokedAt: string | null }[] }>(
    'key.list',
    {},
    { isEnabled: mayConnect },
  );
  const tiles: (Tile | false)[] = [
    mayPay && {
      label: words.owed,
      value: tileValue(owed, ({ owed: sums }) =>
        sums.length === 0
          ? words.nothing
          : sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(', '),
      ),
      hint: words.owedHint,
      href: paths.refunds(id),
    },
    mayInvite && {
      label: words.team,
      value: tileValue(team, ({ members }) => formatCount(members.length)),
      hint: words.teamHint,
      href: paths.team(id),
    },
    mayConnect && {
      label: words.keys,
      value: tileValue(keys, ({ keys: all }) =>
        formatCount(all.filter(({ revokedAt }) => revokedAt === null).length),
      ),
      hint: words.keysHint,
      href: paths.keys(id),
    },
  ];
  const present = tiles.filter((tile) => tile !== false);
  if (present.length === 0) return null;
  return (
    <section aria-label={words.title} className="mt-6">
      <h2 className="mb-2 font-semibold">{words.title}</h2>
      <Tiles label={words.title} tiles={present} />
    </section>
  );
}
