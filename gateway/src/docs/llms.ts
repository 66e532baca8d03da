import type { MarkdownDocument } from './markdown.ts';

/** `/llms.txt`: where a program that reads text finds the guides and the operations. */
export const llmsText = (all: readonly MarkdownDocument[]): string => `# Event Developer API

> An HTTP API for events, tickets, registrations, orders with payment, and check-in. Integrators call it with a secret key.

## Guides

${all.map(({ name, title, summary }) => `- [${title}](/docs/guides/${name}.md): ${summary}`).join('\n')}

## Reference

- [OpenAPI document](/openapi.json): every operation with its fields, errors, permissions and examples
- [Reference for people](/docs/)
- [Errors](/docs/errors): every status, code and reason

## Tools

- TypeScript library \`@event-api/client\` for Node, Deno and Bun, with retries, typed errors, webhooks and the change feed:
  [Quick start](/docs/guides/quick-start.md)
- Command line \`npx event-api\` in the same package: a command for every operation, \`listen\`,
  \`trigger\` and \`changes\`
- MCP server for assistants: \`clients/mcp\` in the repository
`;
