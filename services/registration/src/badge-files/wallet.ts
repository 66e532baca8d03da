import { crc32, deflateSync } from 'node:zlib';
import { PKPass } from 'passkit-generator';
import type { WalletSigner } from '../config.ts';
import type { Badge } from './badge.ts';
import { printable } from './runs.ts';

/**
 * Makes a signed wallet pass with the same QR code as the badge. Errors: those of the library, for
 * example for a wrong key.
 */
export function makePass(id: string, badge: Badge, signer: WalletSigner): Buffer {
  const { certificate, privateKey, passphrase, authority, passTypeId, teamId } = signer;
  const eventName = printable(badge.eventName);
  const pass = new PKPass(
    { 'icon.png': icon(29), 'icon@2x.png': icon(58), 'icon@3x.png': icon(87) },
    {
      signerCert: certificate,
      signerKey: privateKey,
      wwdr: authority,
      ...(passphrase !== undefined && { signerKeyPassphrase: passphrase }),
    },
    {
      serialNumber: id,
      passTypeIdentifier: passTypeId,
      teamIdentifier: teamId,
      organizationName: eventName,
      description: eventName,
      foregroundColor: 'rgb(0, 0, 0)',
      labelColor: 'rgb(0, 0, 0)',
      backgroundColor: 'rgb(255, 255, 255)',
    },
  );
  pass.type = 'eventTicket';
  pass.primaryFields.push({ key: 'event', value: eventName });
  const fields = { name: badge.name, company: badge.company, ticket: badge.ticketTypeName };
  for (const [key, value] of Object.entries(fields)) {
    if (value) pass.secondaryFields.push({ key, value: printable(value) });
  }
  pass.setBarcodes({
    format: 'PKBarcodeFormatQR',
    message: badge.checkinCode,
    messageEncoding: 'iso-8859-1',
    altText: badge.checkinCode,
  });
  return pass.getAsBuffer();
}

/** A black square as PNG. A pass needs an icon, and the platform has none of its organizers. */
function icon(size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One byte of gray for each pixel. Each row begins with the number of its filter, 0.
  header[8] = 8;
  const rows = Buffer.alloc(size * (size + 1));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
