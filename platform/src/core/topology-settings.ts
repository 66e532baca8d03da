import {
  type ApiPeer,
  type ApiUrlSetting,
  apiUrlSetting,
  containerUrl,
  type InternalPeer,
  type InternalUrlSetting,
  internalUrlSetting,
  type ProcessName,
  processNamed,
  type ServiceName,
} from '@event-api/contracts/topology';
import { z } from 'zod';
import { processSettings } from './config.ts';
import { serverUrl } from './server-urls.ts';

const addressOf = (...place: Parameters<typeof containerUrl>) =>
  z.url({ protocol: /^https?$/, error: 'must be a URL' }).default(containerUrl(...place));
type Address = ReturnType<typeof addressOf>;

/**
 * The addresses of the internal listeners that a process calls, by default those in Compose and
 * Kubernetes.
 */
export const internalUrlSettings = <Name extends ProcessName>(name: Name) =>
  Object.fromEntries(
    processNamed(name).callsInternal.map((peer) => [
      internalUrlSetting(peer),
      addressOf(peer, 'internal'),
    ]),
  ) as { [Peer in InternalPeer<Name> as InternalUrlSetting<Peer>]: Address };

/** The settings of a service: those of every process, NATS, and the services that it calls. */
export const serviceSettings = <const Name extends ServiceName>(name: Name) => ({
  ...processSettings,
  NATS_URL: serverUrl(/^(nats|tls)$/, 'must be a nats:// or tls:// URL'),
  ...internalUrlSettings(name),
});

/**
 * The addresses of the API listeners that a process calls, by default those in Compose and
 * Kubernetes.
 */
export const apiUrlSettings = <const Name extends ProcessName>(name: Name) =>
  Object.fromEntries(
    processNamed(name).callsApi.map((peer) => [apiUrlSetting(peer), addressOf(peer, 'api')]),
  ) as { [Peer in ApiPeer<Name> as ApiUrlSetting<Peer>]: Address };

/** The addresses of `apiUrlSettings` by process. */
export const apiUrlsOf = <const Name extends ProcessName>(
  name: Name,
  settings: { [Peer in ApiPeer<Name> as ApiUrlSetting<Peer>]: string },
) =>
  Object.fromEntries(
    processNamed(name).callsApi.map((peer) => [
      peer,
      (settings as Record<string, string>)[apiUrlSetting(peer)],
    ]),
  ) as Record<ApiPeer<Name>, string>;

/** The addresses of `internalUrlSettings` by process. */
export const internalUrlsOf = <const Name extends ProcessName>(
  name: Name,
  settings: { [Peer in InternalPeer<Name> as InternalUrlSetting<Peer>]: string },
) =>
  Object.fromEntries(
    processNamed(name).callsInternal.map((peer) => [
      peer,
      (settings as Record<string, string>)[internalUrlSetting(peer)],
    ]),
  ) as Record<InternalPeer<Name>, string>;
