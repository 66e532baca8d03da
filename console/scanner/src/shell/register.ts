/**
 * Lets the scanner open without a network, and asks the browser to keep its data when the disk
 * becomes full. A browser that has neither works while it has a network.
 */
export function keepForOffline(): void {
  if (import.meta.env.DEV) return;
  navigator.serviceWorker?.register('service-worker.js').catch(console.error);
  navigator.storage?.persist?.().catch(console.error);
}
