import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  createSecrets,
  listSecrets,
  printSecrets,
  provideSecret,
  rotateSecrets,
  SecretsError,
} from './secrets.commands.ts';
import { rotationSteps } from './secrets.rules.ts';

const USAGE = `npm run -s secrets -- <command> [--folder .data/secrets]
  create [--postgres <url>] [--nats <url>] [--redis <url>] [--sandbox] [--postgres-of <process>=<url>] …
                          creates missing secrets, keeps existing ones; --postgres-of gives a process a PostgreSQL
                          server of its own, each=postgres://postgres@postgres-{process}/app every process, and an
                          empty <url> the shared one
  provide <name>          stores a value of Stripe, read from stdin
  list                    lists the credentials and the phase of their rotation
  print [<reader> …] [--namespace event-api]
                          prints Secrets for kubectl apply -f -
  rotate ${rotationSteps.join('|')} <credential> …
                          takes one step of a rotation; <credential> is all, a kind, a process or a name`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '.data/secrets' },
    postgres: { type: 'string' },
    'postgres-of': { type: 'string', multiple: true },
    nats: { type: 'string' },
    redis: { type: 'string' },
    sandbox: { type: 'boolean' },
    namespace: { type: 'string' },
  },
});

/** Returns what to write to stdout. Errors: SecretsError. */
function run([command, ...words]: readonly string[]): string {
  const { folder, postgres, nats, redis, sandbox, namespace } = values;
  const [first = ''] = words;
  switch (command) {
    case 'create': {
      const addresses = {
        ...(postgres && { postgres }),
        ...(nats && { nats }),
        ...(redis && { redis }),
      };
      createSecrets(folder, {
        addresses,
        postgresOf: values['postgres-of'] ?? [],
        ...(sandbox && { paymentProvider: 'sandbox' }),
      });
      return '';
    }
    case 'provide':
      provideSecret(folder, first, readFileSync(0, 'utf8').trim());
      return '';
    case 'list':
      return listSecrets(folder);
    case 'print': {
      const items = printSecrets(folder, words, namespace);
      return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`;
    }
    case 'rotate': {
      const step = rotationSteps.find((each) => each === first);
      if (!step || words.length < 2) throw new SecretsError(USAGE);
      const changed = rotateSecrets(folder, step, words.slice(1));
      return changed.map((name) => `${name} ${step}\n`).join('');
    }
    default:
      throw new SecretsError(USAGE);
  }
}

try {
  process.stdout.write(run(positionals));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
