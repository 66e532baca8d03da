import { parentPort, workerData } from 'node:worker_threads';
import { buildSite } from './site.ts';

parentPort?.postMessage(await buildSite(workerData));
