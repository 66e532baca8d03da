import { randomBytes } from 'node:crypto';
import { revokeKey } from '@event-api/contracts/operator/keys';
import { type Issuer, issuers, newKey, withoutPrivatePart } from '@event-api/deploy-local/keys';
import { becomesTrue } from '@event-api/deploy-local/probe';
import { programs } from '../surroundings.ts';
import { everybody, type Fault, type Stage } from './fault.ts';

const REVOKED_WITHIN_MS = 1500;

const restartAll = async (
  { around: { processes } }: Stage,
  envOf: (name: string) => NodeJS.ProcessEnv,
) => {
  for (const name of programs.filter((each) => each !== 'payment-sandbox')) {
    await processes.stop(name);
    await processes.restart(name, envOf(name));
  }
};

/** New public keys go to everybody next to the old ones, then the processes sign with the new, then the old ones go. */
const callerKeys: Fault = {
  name: 'the keys of all callers replaced',
  target: 'caller keys',
  excuses: everybody,
  lastsMs: 0,
  async begin(stage) {
    const { callers, renewOperator } = stage.around;
    const next = Object.fromEntries(issuers.map((issuer) => [issuer, newKey(issuer)])) as Record<
      Issuer,
      ReturnType<typeof newKey>
    >;
    const shown = (issuer: Issuer) => withoutPrivatePart(next[issuer]);
    const believing = (publicOf: (issuer: Issuer) => object[]) => ({
      CALLER_PUBLIC_KEYS: JSON.stringify(
        Object.fromEntries(issuers.map((issuer) => [issuer, publicOf(issuer)])),
      ),
    });
    await restartAll(stage, () =>
      believing((issuer) => [...callers.public[issuer], shown(issuer)]),
    );
    await restartAll(stage, (name) => ({
      CALLER_PRIVATE_KEY: JSON.stringify(next[name as Issuer]),
    }));
    Object.assign(callers.private, next);
    await renewOperator();
    await restartAll(stage, () => believing((issuer) => [shown(issuer)]));
    for (const issuer of issuers) callers.public[issuer] = [shown(issuer)];
  },
  end: async () => {},
};

/** Both sides believe both secrets before either uses the new one alone. */
const providerSecret: Fault = {
  name: "the payment provider's secret replaced",
  target: 'provider secret',
  excuses: ['commerce', 'provider'],
  lastsMs: 0,
  async begin({ around: { processes, sandbox } }) {
    const [old, next] = [sandbox.secret, randomBytes(24).toString('base64url')];
    const steps = [
      ['commerce', `${old},${next}`],
      ['payment-sandbox', `${next},${old}`],
      ['commerce', next],
      ['payment-sandbox', next],
    ] as const;
    for (const [name, secrets] of steps) {
      await processes.stop(name);
      await processes.restart(name, { SANDBOX_SECRETS: secrets });
      if (secrets === next) sandbox.secret = next;
    }
  },
  end: async () => {},
};

/** A unit gets a second key, uses it, and has the first one revoked, which then opens nothing. */
const apiKeys: Fault = {
  name: 'the API keys of all units replaced',
  target: 'API keys',
  excuses: [],
  lastsMs: 0,
  async begin({ around, shops, journal }) {
    for (const unitId of new Set(shops.map((shop) => shop.unitId))) {
      const own = shops.filter((shop) => shop.unitId === unitId);
      const old = own[0]?.key;
      const key = await around.newKey(unitId);
      for (const shop of own) shop.key = key;
      if (!old) continue;
      await around.operator.call(revokeKey, { id: old.id });
      const opens = () => isOpenedBy(around.gatewayUrl, old.secret);
      const isShut = await becomesTrue(async () => !(await opens()), REVOKED_WITHIN_MS);
      if (!isShut) journal.breaks('a revoked key opens nothing', { unitId });
    }
  },
  end: async () => {},
};

async function isOpenedBy(gatewayUrl: string, secret: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${gatewayUrl}/v1/events`, { headers });
  await response.body?.cancel();
  return response.status !== 401;
}

export const keyFaults: Fault[] = [apiKeys, providerSecret, callerKeys];
