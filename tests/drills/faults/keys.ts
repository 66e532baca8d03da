import { randomBytes } from 'node:crypto';
import { revokeKey } from '@event-api/contracts/operator/keys';
import { waitUntil } from '@event-api/local-servers/probe';
import { generateKey, type Issuer, issuers, toPublicJwk } from '@event-api/provisioning/keys';
import { programs } from '../environment/environment.ts';
import { allServices, type DrillContext, type Fault } from './fault.ts';

const REVOKED_WITHIN_MS = 1500;

const restartAll = async (
  { environment: { processes } }: DrillContext,
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
  affects: allServices,
  lastsMs: 0,
  async begin(context) {
    const { callers, renewOperator } = context.environment;
    const next = Object.fromEntries(
      issuers.map((issuer) => [issuer, generateKey(issuer)]),
    ) as Record<Issuer, ReturnType<typeof generateKey>>;
    const publicJwk = (issuer: Issuer) => toPublicJwk(next[issuer]);
    const believing = (publicOf: (issuer: Issuer) => object[]) => ({
      CALLER_PUBLIC_KEYS: JSON.stringify(
        Object.fromEntries(issuers.map((issuer) => [issuer, publicOf(issuer)])),
      ),
    });
    await restartAll(context, () =>
      believing((issuer) => [...callers.public[issuer], publicJwk(issuer)]),
    );
    await restartAll(context, (name) => ({
      CALLER_PRIVATE_KEY: JSON.stringify(next[name as Issuer]),
    }));
    Object.assign(callers.private, next);
    await renewOperator();
    await restartAll(context, () => believing((issuer) => [publicJwk(issuer)]));
    for (const issuer of issuers) callers.public[issuer] = [publicJwk(issuer)];
  },
  end: async () => {},
};

/** Both sides believe both secrets before either uses the new one alone. */
const providerSecret: Fault = {
  name: "the payment provider's secret replaced",
  target: 'provider secret',
  affects: ['commerce', 'provider'],
  lastsMs: 0,
  async begin({ environment: { processes, sandbox } }) {
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
  affects: [],
  lastsMs: 0,
  async begin({ environment, sales, history }) {
    for (const unitId of new Set(sales.map((sale) => sale.unitId))) {
      const own = sales.filter((sale) => sale.unitId === unitId);
      const old = own[0]?.key;
      const key = await environment.newKey(unitId);
      for (const sale of own) sale.key = key;
      if (!old) continue;
      await environment.operator.call(revokeKey, { id: old.id });
      const opens = () => isOpenedBy(environment.gatewayUrl, old.secret);
      const isShut = await waitUntil(async () => !(await opens()), REVOKED_WITHIN_MS);
      if (!isShut) history.breaks('a revoked key opens nothing', { unitId });
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
