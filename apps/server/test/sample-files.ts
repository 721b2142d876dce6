import { crc32 } from 'node:zlib';

export const ONE_PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mMQaGj4DwADxAIQE/PwAgAAAABJRU5ErkJggg==',
  'base64',
);

/** Builds a valid one-pixel image, padded to `size` bytes. */
export const buildPng = (size = 100) => padToSize([...ONE_PIXEL_PNG], size);
/** Builds a file with the signature of a PDF and no content, padded to `size` bytes. */
export const buildPdf = (size = 100) => padToSize([...Buffer.from('%PDF-1.7\n')], size);
/** Builds a file with the signature of a .doc file and no content, padded to `size` bytes. */
export const buildDoc = (size = 2048) => padToSize([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], size);

function padToSize(start: readonly number[], size: number): Buffer {
  const bytes = Buffer.alloc(size, 0x20);
  bytes.set(start.slice(0, size));
  return bytes;
}

/** Builds a minimal Word document: a zip archive with Word's list of content types. */
export function buildDocx(): Buffer {
  return buildZip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': '<w:document/>',
  });
}

export function buildZip(entries: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const centralEntries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const body = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(body), 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(body.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const localEntry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), body]);
    const centralFields = Buffer.alloc(14);
    centralFields.writeUInt32LE(offset, 10);
    centralEntries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, centralFields, Buffer.from(name)]));
    parts.push(localEntry);
    offset += localEntry.length;
  }
  const centralDirectory = Buffer.concat(centralEntries);
  const endRecord = Buffer.alloc(18);
  endRecord.writeUInt16LE(parts.length, 4);
  endRecord.writeUInt16LE(parts.length, 6);
  endRecord.writeUInt32LE(centralDirectory.length, 8);
  endRecord.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, centralDirectory, Buffer.from('PK\x05\x06', 'latin1'), endRecord]);
}
