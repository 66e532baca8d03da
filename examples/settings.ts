/** A setting of the environment. Errors: it is not set. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}`);
  return value;
}

/** The address of the API and the key. */
export const api = () => ({
  baseUrl: process.env.EVENT_API_URL ?? 'http://localhost:8080',
  apiKey: setting('EVENT_API_KEY'),
});
