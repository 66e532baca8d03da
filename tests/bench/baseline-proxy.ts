// The baseline for the gateway: @fastify/http-proxy in front of the service that BARE_PROXY names.
// It checks no key, rate limit or version, but adds the caller token, which every service requires.
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

export interface BaselineProxySettings {
  upstream: string;
  connections: number;
  privateJwk: { kty: string; crv: string; x: string; d?: string };
  caller: { businessUnitId: string; defaultCurrency: string; keyId: string };
}

const { upstream, connections, privateJwk, caller }: BaselineProxySettings = JSON.parse(
  process.env.BARE_PROXY ?? '{}',
);
const signer = await createCallerSigner({ issuer: 'gateway', privateJwk });
const sign = () => signer.sign({ audience: 'api', ...caller });
let token = await sign();
setInterval(async () => {
  token = await sign();
}, 10_000).unref();

const app = fastify();
app.register(httpProxy, {
  upstream,
  undici: { connections },
  replyOptions: {
    rewriteRequestHeaders: (_request, headers) => ({ ...headers, 'x-caller': token }),
  },
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
