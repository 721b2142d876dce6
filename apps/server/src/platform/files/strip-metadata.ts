import { pipeline, type Readable, Transform } from 'node:stream';

/** Markers of JPEG segments with personal data: APP1 (EXIF with GPS, XMP), APP3 to APP13 (camera makers, IPTC), APP15 and comments. */
const isPrivateSegment = (marker: number) => marker === 0xe1 || (marker >= 0xe3 && marker <= 0xed) || marker === 0xef || marker === 0xfe;
const [START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN, EXIF_SEGMENT, COLOR_SEGMENT] = [0xd8, 0xd9, 0xda, 0xe1, 0xe2];

const PRIVATE_PNG_CHUNKS: ReadonlySet<string> = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']);

/** Returns true for the types of images that cameras store locations in. */
export const canHaveLocation = (fileType: string) => fileType === 'image/jpeg' || fileType === 'image/png';

/**
 * Removes location, camera and author from a JPEG or PNG without re-encoding it, while it is being sent. A damaged image ends where it can no
 * longer be understood, because what follows could be metadata.
 */
export function stripMetadata(image: Readable, fileType: string): Readable {
  const consume = fileType === 'image/jpeg' ? createJpegStripper() : createPngStripper();
  // The reader of the result gets the error.
  return pipeline(image, createStripper(consume), () => undefined);
}

/** Takes bytes from the start of `bytes`, passes on what is kept, and returns the rest, which needs more bytes. Null ends the image. */
type Consume = (bytes: Buffer, keep: (bytes: Buffer) => void) => Buffer | null;

function createStripper(consume: Consume): Transform {
  let rest: Buffer | null = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (rest) rest = consume(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), (bytes) => this.push(bytes));
      done();
    },
  });
}

/** Keeps only the orientation of the EXIF data, and drops everything after the end of the image, such as a phone's motion video. */
function createJpegStripper(): Consume {
  let isInScan = false;
  return (bytes, keep) => {
    let position = 0;
    while (position + 2 <= bytes.length) {
      if (isInScan) {
        const scanEnd = findScanEnd(bytes, position);
        keep(bytes.subarray(position, scanEnd.at));
        position = scanEnd.at;
        if (!scanEnd.isMarker) break;
        isInScan = false;
        continue;
      }
      const marker = bytes[position + 1] ?? 0;
      if (bytes[position] !== 0xff) return null;
      if (marker === 0xff) {
        // Any number of fill bytes may precede a marker.
        position += 1;
      } else if (marker === START_OF_IMAGE || marker === END_OF_IMAGE) {
        keep(bytes.subarray(position, position + 2));
        position += 2;
        if (marker === END_OF_IMAGE) return null;
      } else {
        if (position + 4 > bytes.length) break;
        const length = bytes.readUInt16BE(position + 2);
        if (length < 2) return null;
        const end = position + 2 + length;
        if (end > bytes.length) break;
        for (const part of stripSegment(marker, bytes.subarray(position, end))) keep(part);
        position = end;
        isInScan = marker === START_OF_SCAN;
      }
    }
    return bytes.subarray(position);
  };
}

function stripSegment(marker: number, segment: Buffer): Buffer[] {
  if (marker === EXIF_SEGMENT) return buildOrientationSegment(segment);
  const isColorProfile = marker !== COLOR_SEGMENT || segment.toString('latin1', 4, 15) === 'ICC_PROFILE';
  return !isPrivateSegment(marker) && isColorProfile ? [segment] : [];
}

/** Finds the marker that ends the compressed data. In the data, 0xff is followed by 0 or by a restart marker (0xd0 to 0xd7). */
function findScanEnd(bytes: Buffer, start: number): { readonly at: number; readonly isMarker: boolean } {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return { at, isMarker: false };
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return { at, isMarker: true };
  }
  return { at: bytes.length, isMarker: false };
}

const ORIENTATION_TAG = 0x01_12;

/** Builds an EXIF segment with nothing but the orientation, without which phones' photos lie on their side. */
function buildOrientationSegment(segment: Buffer): Buffer[] {
  const orientation = findOrientation(segment);
  if (orientation === null || orientation === 1) return [];
  const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, 28);
  return [exif];
}

function findOrientation(segment: Buffer): number | null {
  const tiff = segment.subarray(10);
  if (segment.toString('latin1', 4, 8) !== 'Exif' || tiff.length < 14) return null;
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < read16(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (read16(at) !== ORIENTATION_TAG) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

const PNG_SIGNATURE_BYTES = 8;
const PNG_CHUNK_HEADER_BYTES = 8;
const PNG_CHECKSUM_BYTES = 4;

function createPngStripper(): Consume {
  // The bytes left of the signature or of the current chunk.
  let bytesLeft = PNG_SIGNATURE_BYTES;
  let [isKept, isLast] = [true, false];
  return (bytes, keep) => {
    let position = 0;
    while (position < bytes.length) {
      if (bytesLeft > 0) {
        const end = Math.min(position + bytesLeft, bytes.length);
        if (isKept) keep(bytes.subarray(position, end));
        bytesLeft -= end - position;
        position = end;
        continue;
      }
      if (isLast) return null;
      if (position + PNG_CHUNK_HEADER_BYTES > bytes.length) break;
      const type = bytes.toString('latin1', position + 4, position + 8);
      bytesLeft = PNG_CHUNK_HEADER_BYTES + bytes.readUInt32BE(position) + PNG_CHECKSUM_BYTES;
      [isKept, isLast] = [!PRIVATE_PNG_CHUNKS.has(type), type === 'IEND'];
    }
    return bytes.subarray(position);
  };
}
