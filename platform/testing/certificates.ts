import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** A certificate authority of one test, and what it issues. All in PEM. */
export interface TestAuthority {
  /** The certificate of the authority. */
  ca: string;
  /** A certificate for `localhost` and 127.0.0.1, or for another host name. */
  issue(host?: string): { cert: string; key: string };
}

// Distinguished Encoding Rules: a tag, the length, the content.
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = length < 256 ? [length] : [length >> 8, length & 0xff];
  const size = length < 128 ? bytes : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (encoded: string) => der(0x06, hex(encoded));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (name: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const validity = sequence(
  der(0x18, Buffer.from('20200101000000Z')),
  der(0x18, Buffer.from('21200101000000Z')),
);
const basicConstraints = sequence(oid('551d13'), yes, der(0x04, sequence(yes)));
const alternativeNames = (host: string) =>
  sequence(
    oid('551d11'),
    der(0x04, sequence(der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1])))),
  );

function certificate(options: {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  extension: Buffer;
}): string {
  const { subject, publicKey, issuer, issuerKey, extension } = options;
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = createSign('sha256').update(content).sign(issuerKey);
  const encoded = sequence(content, ecdsaWithSha256, bits(signature)).toString('base64');
  const lines = encoded.match(/.{1,64}/g)?.join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Creates an authority with a new key. Its certificates are valid for a hundred years. */
export function createTestAuthority(): TestAuthority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = `authority ${randomBytes(4).toString('hex')}`;
  const signedByThis = (subject: string, publicKey: KeyObject, extension: Buffer) =>
    certificate({ subject, publicKey, issuer, issuerKey: own.privateKey, extension });
  return {
    ca: signedByThis(issuer, own.publicKey, basicConstraints),
    issue(host = 'localhost') {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: signedByThis(host, publicKey, alternativeNames(host)),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}
