/**
 * The IPv4 address of a client, or its IPv6 network of 64 bits, because one client may use all
 * addresses of it. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(ip: string): string {
  const isMapped = ip.toLowerCase().startsWith('::ffff:') && ip.includes('.');
  if (isMapped) return ip.slice('::ffff:'.length);
  return ip.includes(':') ? network64(ip) : ip;
}

function network64(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return groups.slice(0, 4).join(':');
}
