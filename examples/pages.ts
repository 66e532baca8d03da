import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';

/** Text that is HTML. Everything else that `html` inserts is escaped. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | Html[] | string | number | null;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === null ? '' : escaped(String(part));
};

/** A template of HTML. Values are escaped, so a name cannot contain a script. */
export const html = (parts: TemplateStringsArray, ...values: Part[]): Html =>
  new Html(parts.map((part, index) => part + textOf(values[index] ?? null)).join(''));

/** A web server that reads forms. */
export function createPages(): FastifyInstance {
  const app = fastify();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  return app;
}

/** Sends a page. It may load nothing and run no scripts. */
export function sendPage(reply: FastifyReply, title: string, main: Html, head: Html | null = null) {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem }
  label { display: block; margin: .5rem 0 }
  input { display: block; box-sizing: border-box; width: 100%; padding: .5rem; font: inherit }
  button { padding: .5rem 1rem; font: inherit }
</style>
<main><h1>${title}</h1>${main}</main>
</html>`;
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(page.text);
}

/** Listens on `PORT`, 3000 by default, and prints the address. */
export async function listen(app: FastifyInstance): Promise<void> {
  console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }));
}
