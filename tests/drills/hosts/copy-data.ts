import { copyRunning } from '@event-api/provisioning/backup/copy-data';

// A process of its own: the clients of the drill would slow down the copy, and the copy them.
const [from = '', to = ''] = process.argv.slice(2);
await copyRunning(from, to, { flush: false });
