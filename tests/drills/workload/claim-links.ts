import type { Buyer } from './buyer.ts';
import { claimants, findOpenSeat } from './open-seats.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

const config = { owner: 'commerce', method: 'POST' } as const;

/**
 * Creates a claim link of a paid order, with which one or two persons want the same seat, and
 * revokes it: before, meanwhile, or afterwards. At most one of them gets the seat, and after the
 * link is revoked nobody does.
 */
export async function claimSeat(buyer: Buyer): Promise<void> {
  const { sale, client, random, history } = buyer;
  const found = await findOpenSeat(buyer);
  if (!found) return;
  const { orderId, seatId } = found;
  const links = `${sale.path}/orders/${orderId}/claim-links`;
  const body = random.chance(0.5) ? { seatId } : {};
  const created = await client.request({ ...config, operation: 'create link', path: links, body });
  const { id, claimToken } = (created?.status === 200 ? created.body : {}) as Body;
  // A replay has no token.
  if (!claimToken) return;
  // Another client that makes a link of the same seat revokes this one.
  const claim = {
    owner: 'commerce',
    headers: { authorization: `Bearer ${claimToken}` },
    mayBeRevoked: true,
  } as const;
  const read = () =>
    client.request({ ...claim, operation: 'read claim', method: 'GET', path: '/v1/claims' });
  const take = async (email: string) => {
    const path = `/v1/claims/${seatId}/assign`;
    const request = { ...claim, operation: 'claim seat', method: 'POST', path } as const;
    const seen = await client.request({ ...request, body: { email } });
    return seen?.status === 200 ? [(seen.body as Body).registrationId as string] : [];
  };
  const revoke = async () => {
    const path = `${links}/${id}/revoke`;
    const seen = await client.request({ ...config, operation: 'revoke link', path });
    if (seen?.status !== 200) return;
    const after = await read();
    if (after && after.status !== 401)
      history.breaks('a revoked claim link shows nothing', { id, ...after });
  };
  if (random.chance(0.3)) await read();
  const takeAll = () => Promise.all(claimants(buyer).map(take));
  const when = random.pick(['before', 'meanwhile', 'afterwards', 'never', 'never'] as const);
  if (when === 'before') await revoke();
  const [holders] = await Promise.all([takeAll(), when === 'meanwhile' && revoke()]);
  if (when === 'afterwards') await revoke();
  const seated = holders.flat();
  if (seated.length > (when === 'before' ? 0 : 1))
    history.breaks('a seat is claimed once, and not by a revoked link', { seatId, when, seated });
}
