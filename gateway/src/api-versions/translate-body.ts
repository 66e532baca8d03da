/** A JSON body after `step`; bytes that are no JSON pass unchanged, for the service to refuse. */
export function translateBody(bytes: Buffer, step: ((body: unknown) => unknown) | null): Buffer {
  if (!step) return bytes;
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return bytes;
  }
  return Buffer.from(JSON.stringify(step(body)));
}
