#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createClient } from '@event-api/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './server.ts';

const { values } = parseArgs({ options: { 'allow-writes': { type: 'boolean', default: false } } });
const { EVENT_API_URL: baseUrl = 'http://localhost:8080', EVENT_API_KEY: apiKey } = process.env;
if (!apiKey) {
  console.error('set EVENT_API_KEY, for example to a key with the group read');
  process.exit(2);
}
const client = createClient({ baseUrl, apiKey, deadlineMs: 30_000 });
serveStdio(() =>
  createServer({ client, baseUrl, now: () => new Date() }, { allowWrites: values['allow-writes'] }),
);
