import { send } from './client.ts';
import type { Device } from './device.ts';

/** The device as the platform has it now; null if it does not respond with it. */
export async function readDevice(token: string): Promise<Device | null> {
  const response = await send({ path: '/v1/device', bearer: token });
  return response.status === 200 ? (response.body as Device) : null;
}
