/**
 * What requests without a valid key are counted by: the IPv4 address, or an IPv6 network of 64
 * bits, all of whose addresses one client may have.
 */
export function addressSubject(ip: string): string {
  const mapped = ip.toLowerCase().startsWith('::ffff:') && ip.includes('.');
  if (mapped) return `address:${ip.slice('::ffff:'.length)}`;
  return `address:${ip.includes(':') ? network64(ip) : ip}`;
}

function network64(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return groups.slice(0, 4).join(':');
}
