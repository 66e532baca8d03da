// Exits with 0 if the process of this container is ready. The image has no curl or wget for a
// health check.
const url = `http://127.0.0.1:${process.env.INTERNAL_PORT}/readyz`;
const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
process.exit(response?.status === 200 ? 0 : 1);
