import { Agent } from 'node:http';
import { request } from 'playwright-core';
import { type RawClient, send } from '../raw-client.ts';

/** Requests of one session. The console accepts 600 per minute. */
const requestsPerSession = 500;

/** A demo operator without a page. */
export interface ConsoleClient {
  /**
   * Sends a request as a page of the console does. It signs in again before a session reaches its
   * limit.
   */
  request: RawClient;
  /** Accepts an invitation. */
  accept(link: string): Promise<void>;
  close(): void;
}

/**
 * Signs a demo operator in at the identity sandbox, and sends requests with the cookie of the
 * session.
 */
export async function consoleClient(consoleUrl: string, subject: string): Promise<ConsoleClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let session = signIn(consoleUrl, subject);
  let left = requestsPerSession;
  const sendAsPage: RawClient = async (wanted) => {
    if (left === 0) [session, left] = [signIn(consoleUrl, subject), requestsPerSession];
    left -= 1;
    const cookie = await session;
    return send(consoleUrl, agent, {
      ...wanted,
      headers: {
        cookie,
        origin: consoleUrl,
        ...(wanted.body !== undefined && { 'content-type': 'application/json' }),
        ...wanted.headers,
      },
    });
  };
  await session;
  return {
    request: sendAsPage,
    async accept(link) {
      const body = JSON.stringify({ token: new URL(link).hash.slice(1) });
      const path = '/api/invitations/accept';
      const response = await sendAsPage({ method: 'POST', path, body });
      if (response.status !== 200) throw new Error(`the invitation: ${response.body}`);
    },
    close: () => agent.destroy(),
  };
}

/** Returns the cookie of a new session. */
async function signIn(consoleUrl: string, subject: string): Promise<string> {
  const browser = await request.newContext();
  try {
    await browser.get(`${consoleUrl}/api/sign-in?hint=${subject}`);
    const { cookies } = await browser.storageState();
    const { port } = new URL(consoleUrl);
    const cookie = cookies.find(({ name }) => name === `session_${port}`);
    if (!cookie) throw new Error(`${subject} is not signed in`);
    return `${cookie.name}=${cookie.value}`;
  } finally {
    await browser.dispose();
  }
}
