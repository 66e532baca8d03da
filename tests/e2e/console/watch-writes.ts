import type { Page, Request, Response } from 'playwright-core';

/** A request of the console that changes something, with its response. */
export interface Write {
  /** The name of a command, or the method and the path without ids: `PATCH /events/:id`. */
  operation: string;
  method: string;
  url: string;
  body: unknown;
  status: number;
  response: unknown;
}

export type Traffic = ReturnType<typeof watchWrites>;

/** Records the writes of a page until `stop`. `reads` are the commands that change nothing. */
export function watchWrites(page: Page, reads: ReadonlySet<string>) {
  let running = 0;
  let done: Promise<Write>[] = [];
  const isWrite = (request: Request): boolean => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' || !pathname.startsWith('/api/')) return false;
    return !reads.has(operationOf(request.method(), pathname));
  };
  const onRequest = (request: Request) => {
    if (isWrite(request)) running += 1;
  };
  const onEnd = (request: Request) => {
    if (!isWrite(request)) return;
    running -= 1;
    done.push(writeOf(request));
  };
  page.on('request', onRequest);
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  return {
    isBusy: () => running > 0,
    /** Forgets the writes so far. */
    begin() {
      done = [];
    },
    count: () => done.length,
    writes: () => Promise.all(done),
    stop() {
      page.off('request', onRequest);
      page.off('requestfinished', onEnd);
      page.off('requestfailed', onEnd);
    },
  };
}

async function writeOf(request: Request): Promise<Write> {
  const response = await request.response();
  const url = request.url();
  return {
    operation: operationOf(request.method(), new URL(url).pathname),
    method: request.method(),
    url,
    body: parsed(request.postData()),
    status: response?.status() ?? 0,
    response: await contentOf(response),
  };
}

const contentOf = async (response: Response | null): Promise<unknown> =>
  parsed(await response?.text().catch(() => null));

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function operationOf(method: string, path: string): string {
  const command = /\/operator\/([\w.]+)$/.exec(path)?.[1];
  if (command) return command;
  const withoutIds = path
    .replace(/^\/api/, '')
    .replace(/^\/units\/[^/]+/, '')
    .replace(/^\/v1/, '')
    .replaceAll(/\/[a-z]+_[0-9a-z]{20,}/g, '/:id');
  return `${method} ${withoutIds}`;
}
