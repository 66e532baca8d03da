/** A browser session without a browser. */
export interface ConsoleClient {
  /** Sends a request as a page of the console does, and returns every status. */
  send(
    path: string,
    request?: { method?: string; body?: object; headers?: Record<string, string> },
    // biome-ignore lint/suspicious/noExplicitAny: the body of any operation.
  ): Promise<{ status: number; body: any }>;
  /** Opens a stream of server-sent events. Errors: any status but 200; the signal is aborted. */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Sends a mutation as a page of the console does. Errors: any status but a 2xx. */
  post(path: string, body: object): Promise<unknown>;
}

/** More redirects than a sign-in has. */
const maxRedirects = 10;

/**
 * Signs a demo operator in at the identity sandbox and returns its session. Errors: the sign-in
 * ends elsewhere.
 */
export async function signIn(consoleUrl: string, subject: string): Promise<ConsoleClient> {
  const cookies = createCookieJar();
  const send = async (url: URL, request: RequestInit = {}) => {
    // Node resolves `localhost` to an address on which the processes may not listen.
    const address = new URL(url);
    if (address.hostname === 'localhost') address.hostname = '127.0.0.1';
    const headers = { ...request.headers, cookie: cookies.headerFor(url) };
    const response = await fetch(address, { ...request, headers, redirect: 'manual' });
    cookies.store(url, response);
    return response;
  };
  let url = new URL(`/api/sign-in?hint=${encodeURIComponent(subject)}`, consoleUrl);
  for (let redirects = 0; redirects < maxRedirects; redirects++) {
    const response = await send(url);
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (location === null) throw new Error(`the sign-in ended with ${response.status}`);
    url = new URL(location, url);
    if (url.href === new URL('/', consoleUrl).href) {
      return clientOf(consoleUrl, send);
    }
  }
  throw new Error('the sign-in does not end');
}

function clientOf(
  consoleUrl: string,
  sendTo: (url: URL, request: RequestInit) => Promise<Response>,
): ConsoleClient {
  const send: ConsoleClient['send'] = async (path, { method = 'GET', body, headers } = {}) => {
    const response = await sendTo(new URL(path, consoleUrl), {
      method,
      headers: {
        origin: consoleUrl,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    send,
    async stream(path, signal) {
      const response = await sendTo(new URL(path, consoleUrl), { signal });
      if (response.status !== 200 || !response.body) {
        throw new Error(`${path} responded with ${response.status}`);
      }
      return response.body;
    },
    async post(path, input) {
      const { status, body } = await send(path, { method: 'POST', body: input });
      if (status >= 300) {
        throw new Error(`${path} responded with ${status}: ${JSON.stringify(body)}`);
      }
      return body;
    },
  };
}

/**
 * Cookies by host with port: browsers share them between ports, which would hide a confusion of the
 * two processes.
 */
function createCookieJar() {
  const jars = new Map<string, Map<string, string>>();
  return {
    headerFor: ({ host }: URL): string =>
      [...(jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
    store({ host }: URL, response: Response): void {
      const jar = jars.get(host) ?? new Map<string, string>();
      jars.set(host, jar);
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        jar.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}
