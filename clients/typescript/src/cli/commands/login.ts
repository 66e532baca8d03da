import { createClient } from '../../client.ts';
import { EventApiError } from '../../errors.ts';
import { listEvents } from '../../generated/sdk.gen.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { configFile, defaultUrl, writePrivateFile } from '../config.ts';

/** Checks a key and stores it with the address of the API. */
export const login: Command = {
  name: 'login',
  group: 'Development',
  summary: 'Store the address of the API and a key.',
  example: 'login --url http://localhost:8080',
  options: {
    url: {
      value: 'URL',
      summary: `the address of the API; otherwise EVENT_API_URL, ${defaultUrl}`,
    },
  },
  notes: [
    `The key is that of EVENT_API_KEY, otherwise the first line of the input. It is stored in
    $XDG_CONFIG_HOME/event-api/config.json (~/.config), which only you can read.`,
  ],
  async run({ terminal, text }) {
    const { env } = terminal;
    const baseUrl = text('url') || env.EVENT_API_URL || defaultUrl;
    if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
      throw new UsageError(`${baseUrl} is not an HTTP address, such as https://api.example.com`);
    }
    const apiKey = env.EVENT_API_KEY || (await terminal.readSecret('API key: ')).trim();
    if (apiKey === '') throw new CommandError('there is no key: enter one, or set EVENT_API_KEY');
    await checkKey(baseUrl, apiKey);
    await writePrivateFile(configFile(env), { baseUrl, apiKey });
    terminal.note(`stored in ${configFile(env)}`);
  },
};

async function checkKey(baseUrl: string, apiKey: string): Promise<void> {
  const client = createClient({ baseUrl, apiKey, maxRetries: 1 });
  try {
    await listEvents({ client, query: { limit: 1 } });
  } catch (error) {
    // A restricted key that may not read events is a key.
    if (!(error instanceof EventApiError && error.httpStatus === 403)) throw error;
  }
}
