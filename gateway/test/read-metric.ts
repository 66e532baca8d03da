import { request } from 'undici';

/** Returns the value of a series in `/metrics` of an internal listener, or 0 if it is missing. */
export async function readMetric(internalUrl: string, series: string): Promise<number> {
  // On a new connection: the process may have closed an idle one while this process was busy.
  const { body } = await request(`${internalUrl}/metrics`, { reset: true });
  const line = (await body.text()).split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
