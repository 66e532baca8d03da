/** A piece of text that somebody could read, and where it was found. */
export interface Written {
  where: string;
  text: string;
}

/** Every secret that stands in one of these texts, in whatever form, with its place. */
export function findLeaks(
  secrets: Readonly<Record<string, string>>,
  written: readonly Written[],
): string[] {
  const texts = written.map(({ where, text }) => ({ where, text, lower: text.toLowerCase() }));
  return Object.entries(secrets).flatMap(([what, secret]) => {
    const { plain, encoded } = formsOf(secret);
    return texts.flatMap(({ where, text, lower }) => {
      const at =
        plain.map((form) => lower.indexOf(form)).find((index) => index >= 0) ??
        encoded.map((form) => text.indexOf(form)).find((index) => index >= 0);
      if (at === undefined) return [];
      return [`${what} in ${where}: ${text.slice(Math.max(0, at - 120), at + 120)}`];
    });
  });
}

/** How a value may be written: `plain` is compared without regard to case, `encoded` as it is. */
export function formsOf(secret: string): { plain: string[]; encoded: string[] } {
  const inUrl = encodeURIComponent(secret);
  const plain = [
    secret,
    inUrl,
    new URLSearchParams({ x: secret }).toString().slice(2),
    encodeURI(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    secret.replaceAll("'", "''"),
  ].map((form) => form.toLowerCase());
  const encoded = [secret, secret.toLowerCase()].flatMap((text) => [
    ...inBase64(text, 'base64'),
    ...inBase64(text, 'base64url'),
  ]);
  return { plain: [...new Set(plain)], encoded: [...new Set(encoded)] };
}

/** In base64 a text looks in three ways, by what stands before it; its ends are mixed with its neighbours. */
function inBase64(text: string, alphabet: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.toString(alphabet).replaceAll('=', '');
    const clean = bytes.length % 3 === 0 ? whole : whole.slice(0, -1);
    return clean.slice(Math.ceil((before * 8) / 6));
  });
}
