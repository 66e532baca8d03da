// Ends with 0 when the process of this container is ready: images without a shell's tools have no other way to ask.
const url = `http://127.0.0.1:${process.env.INTERNAL_PORT}/readyz`;
const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
process.exit(response?.status === 200 ? 0 : 1);
