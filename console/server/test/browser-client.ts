/** A response that the client has read. */
export interface BrowserResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a response.
  json(): any;
}

export interface BrowserRequest {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * The origin of the page that sends the request; null sends none. By default that of the console.
   */
  origin?: string | null;
}

/** A browser without pages: it keeps cookies and sends the origin of the console with mutations. */
export interface BrowserClient {
  /**
   * Sends one request and follows no redirect. The path is one of the console, or a whole address.
   */
  send(path: string, request?: BrowserRequest): Promise<BrowserResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<BrowserResponse>;
  /**
   * Follows redirects from a path of the console. Returns all addresses, the last one without a
   * redirect.
   */
  follow(path: string): Promise<{ visited: string[]; response: BrowserResponse }>;
  /** The cookies for the console. */
  cookies: Map<string, string>;
  /** Every `Set-Cookie` line of all responses. */
  setCookies: string[];
}

const maxRedirects = 10;

export function createBrowserClient(consoleUrl: string): BrowserClient {
  const jars = new Map<string, Map<string, string>>();
  const setCookies: string[] = [];
  const jarOf = ({ host }: URL) => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  async function send(path: string, request: BrowserRequest = {}): Promise<BrowserResponse> {
    const url = new URL(path, consoleUrl);
    const { method = 'GET', body, headers = {}, origin = consoleUrl } = request;
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url.href.replace('//localhost', '//127.0.0.1'), {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(method !== 'GET' && origin !== null && { origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line);
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '') jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
  }

  return {
    send,
    setCookies,
    post: (path, body = {}, headers = {}) => send(path, { method: 'POST', body, headers }),
    async follow(path) {
      const visited = [new URL(path, consoleUrl).href];
      for (let redirects = 0; redirects < maxRedirects; redirects++) {
        const current = visited.at(-1) ?? '';
        const response = await send(current);
        const location = response.headers.get('location');
        if (location === null) return { visited, response };
        visited.push(new URL(location, current).href);
      }
      throw new Error(`too many redirects: ${visited.join(' ')}`);
    },
    get cookies() {
      return jarOf(new URL(consoleUrl));
    },
  };
}
