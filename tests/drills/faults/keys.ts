import { randomBytes } from 'node:crypto';
import { revokeKey } from '@event-api/contracts/operator/keys';
import { type CallerIssuer, callerIssuers } from '@event-api/contracts/topology';
import { waitUntil } from '@event-api/local-servers/probe';
import { httpClient } from '@event-api/platform/testing/http-client';
import { generateKey, toPublicJwk } from '@event-api/provisioning/keys';
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

/**
 * Replaces the caller keys in three rollouts: all processes accept the new keys beside the old
 * ones, sign with the new ones, then accept only the new ones.
 */
const callerKeys: Fault = {
  name: 'caller keys replaced',
  target: 'caller keys',
  affects: allServices,
  lastsMs: 0,
  async begin(context) {
    const { callers, renewOperator } = context.environment;
    const next = Object.fromEntries(
      callerIssuers.map((issuer) => [issuer, generateKey(issuer)]),
    ) as Record<CallerIssuer, ReturnType<typeof generateKey>>;
    const publicJwk = (issuer: CallerIssuer) => toPublicJwk(next[issuer]);
    const accepting = (publicOf: (issuer: CallerIssuer) => object[]) => ({
      CALLER_PUBLIC_KEYS: JSON.stringify(
        Object.fromEntries(callerIssuers.map((issuer) => [issuer, publicOf(issuer)])),
      ),
    });
    await restartAll(context, () =>
      accepting((issuer) => [...callers.public[issuer], publicJwk(issuer)]),
    );
    await restartAll(context, (name) => ({
      CALLER_PRIVATE_KEY: JSON.stringify(next[name as CallerIssuer]),
    }));
    Object.assign(callers.private, next);
    await renewOperator();
    await restartAll(context, () => accepting((issuer) => [publicJwk(issuer)]));
    for (const issuer of callerIssuers) callers.public[issuer] = [publicJwk(issuer)];
  },
  end: async () => {},
};

/** Both sides accept both secrets before either uses only the new one. */
const providerSecret: Fault = {
  name: 'payment provider secret replaced',
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

/**
 * Each business unit gets a second key, uses it, and revokes the first one, which must then be
 * rejected.
 */
const apiKeys: Fault = {
  name: 'API keys replaced',
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
      const isAcceptedNow = () => isAccepted(environment.gatewayUrl, old.secret);
      const isRejected = await waitUntil(async () => !(await isAcceptedNow()), REVOKED_WITHIN_MS);
      if (!isRejected) history.breaks('a revoked key is rejected', { unitId });
    }
  },
  end: async () => {},
};

async function isAccepted(gatewayUrl: string, secret: string): Promise<boolean> {
  const send = httpClient(gatewayUrl, { authorization: `Bearer ${secret}` });
  return (await send('GET', '/v1/events')).status !== 401;
}

export const keyFaults: Fault[] = [apiKeys, providerSecret, callerKeys];
