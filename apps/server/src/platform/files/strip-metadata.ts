import { pipeline, type Readable, Transform } from 'node:stream';

/**
 * The most segments, chunks or blocks that an image is read with. Encoders write a PNG in chunks of 4 kB or more, so no photo of 25 MB has
 * this many. A file made of millions of empty ones would keep the server busy for seconds.
 */
const MAX_PARTS = 10_000;

export class TooManyPartsError extends Error {}

const STRIPPERS: Readonly<Record<string, () => Consume>> = {
  'image/jpeg': createJpegStripper,
  'image/png': createPngStripper,
  'image/gif': createGifStripper,
};

/** Returns true for the types of images that can contain a location. */
export const canHaveLocation = (fileType: string) => fileType in STRIPPERS;

/**
 * Removes location, camera, author and any other text from an image without re-encoding it: only what is needed to display the image is
 * kept. A damaged image ends where it can no longer be understood, because what follows could be metadata. The result fails with
 * `TooManyPartsError` if the image has too many parts.
 */
export function stripMetadata(image: Readable, fileType: string): Readable {
  const consume = STRIPPERS[fileType]?.();
  if (!consume) throw new Error(`Can't remove metadata from ${fileType}`);
  // The reader of the result gets the error.
  return pipeline(image, createStripper(consume), () => undefined);
}

/** Takes bytes from the start of `bytes`, passes on what is kept, and returns the rest, which needs more bytes. Null ends the image. */
type Consume = (bytes: Buffer, keep: (bytes: Buffer) => void) => Buffer | null;

function createStripper(consume: Consume): Transform {
  let rest: Buffer | null = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        if (rest) rest = consume(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), (bytes) => this.push(bytes));
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

function createPartCounter(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_PARTS) throw new TooManyPartsError();
  };
}

const [START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0xd8, 0xd9, 0xda];
const [JFIF_SEGMENT, EXIF_SEGMENT, COLOR_SEGMENT, ADOBE_SEGMENT] = [0xe0, 0xe1, 0xe2, 0xee];
const JFIF_PAYLOAD_BYTES = 14;
const ADOBE_PAYLOAD_BYTES = 12;

/** Returns true for frames, tables, scans and restart intervals: all that a decoder needs besides the color information in APP segments. */
const isImageSegment = (marker: number) => (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdd);

/** Drops everything after the end of the image, such as a phone's motion video. */
function createJpegStripper(): Consume {
  const countPart = createPartCounter();
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
        countPart();
        if (marker === END_OF_IMAGE) return null;
      } else {
        if (position + 4 > bytes.length) break;
        const length = bytes.readUInt16BE(position + 2);
        if (length < 2) return null;
        const end = position + 2 + length;
        if (end > bytes.length) break;
        countPart();
        for (const part of stripSegment(marker, bytes.subarray(position, end))) keep(part);
        position = end;
        isInScan = marker === START_OF_SCAN;
      }
    }
    return bytes.subarray(position);
  };
}

/** Shortens the APP segments that decoders need to their defined length, because any text may follow. */
function stripSegment(marker: number, segment: Buffer): Buffer[] {
  const hasLabel = (label: string) => segment.toString('latin1', 4, 4 + label.length) === label;
  if (isImageSegment(marker)) return [segment];
  if (marker === EXIF_SEGMENT) return buildOrientationSegment(segment);
  if (marker === COLOR_SEGMENT && hasLabel('ICC_PROFILE\0')) return [segment];
  if (marker === ADOBE_SEGMENT && hasLabel('Adobe')) return cutSegment(segment, ADOBE_PAYLOAD_BYTES);
  if (marker !== JFIF_SEGMENT || !hasLabel('JFIF\0')) return [];
  // The last two bytes are the size of a thumbnail, which is cut off.
  return cutSegment(segment, JFIF_PAYLOAD_BYTES).map((jfif) => jfif.fill(0, jfif.length - 2));
}

function cutSegment(segment: Buffer, payloadBytes: number): Buffer[] {
  if (segment.length < 4 + payloadBytes) return [];
  const cut = Buffer.from(segment.subarray(0, 4 + payloadBytes));
  cut.writeUInt16BE(2 + payloadBytes, 2);
  return [cut];
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
  const entriesEnd = Math.min(tiff.length, directory + 2 + read16(directory) * 12);
  for (let at = directory + 2; at < entriesEnd; at += 12) {
    if (read16(at) !== ORIENTATION_TAG) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

const PNG_SIGNATURE_BYTES = 8;
const PNG_CHUNK_HEADER_BYTES = 8;
const PNG_CHECKSUM_BYTES = 4;
/** The chunks that affect how an image or animation looks. All others can contain text. */
const PUBLIC_PNG_CHUNKS: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);

function createPngStripper(): Consume {
  const countPart = createPartCounter();
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
      countPart();
      const type = bytes.toString('latin1', position + 4, position + 8);
      bytesLeft = PNG_CHUNK_HEADER_BYTES + bytes.readUInt32BE(position) + PNG_CHECKSUM_BYTES;
      [isKept, isLast] = [PUBLIC_PNG_CHUNKS.has(type), type === 'IEND'];
    }
    return bytes.subarray(position);
  };
}

const GIF_HEADER_BYTES = 13;
const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b];
const [GIF_GRAPHIC_CONTROL, GIF_APPLICATION] = [0xf9, 0xff];
const GIF_IMAGE_HEADER_BYTES = 10;
/** Introducer, label, length, name, and one block with the number of repetitions. */
const GIF_LOOP_BYTES = 18;

/** Keeps the frames, their timing and the number of repetitions. Drops comments, texts and the data of programs, such as XMP. */
function createGifStripper(): Consume {
  const countPart = createPartCounter();
  let [hasHeader, hasSubBlocks, isKept] = [false, false, true];
  // The bytes left of the header of the file or of a block, or of a sub-block.
  let bytesLeft = 0;
  return (bytes, keep) => {
    let position = 0;
    while (position < bytes.length) {
      const start = position;
      while (position < bytes.length && (bytesLeft > 0 || hasSubBlocks)) {
        if (bytesLeft === 0) {
          // A sub-block starts with its length. An empty one is the last.
          bytesLeft = 1 + (bytes[position] ?? 0);
          hasSubBlocks = bytesLeft > 1;
        }
        const step = Math.min(bytesLeft, bytes.length - position);
        position += step;
        bytesLeft -= step;
      }
      if (isKept && position > start) keep(bytes.subarray(start, position));
      if (position === bytes.length) break;
      if (!hasHeader) {
        if (bytes.length < GIF_HEADER_BYTES) break;
        if (!/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return null;
        hasHeader = true;
        bytesLeft = GIF_HEADER_BYTES + getColorTableBytes(bytes[10]);
        continue;
      }
      const block = findGifBlock(bytes.subarray(position));
      if (block === 'incomplete') break;
      if (!block) {
        if (bytes[position] === GIF_END) keep(Buffer.of(GIF_END));
        return null;
      }
      countPart();
      [hasSubBlocks, isKept, bytesLeft] = [true, block.isKept, block.headerBytes];
      if (block.loop) keep(block.loop);
    }
    return bytes.subarray(position);
  };
}

interface GifBlock {
  readonly isKept: boolean;
  /** The number of bytes before the sub-blocks. */
  readonly headerBytes: number;
  /** Replaces the block, because any text may follow the number of repetitions. */
  readonly loop?: Buffer;
}

/** Returns null if no block follows: at the end of the image or where it is damaged. */
function findGifBlock(bytes: Buffer): GifBlock | 'incomplete' | null {
  const [kind, label] = bytes;
  if (kind === GIF_IMAGE) {
    if (bytes.length < GIF_IMAGE_HEADER_BYTES) return 'incomplete';
    // The byte after the color table is the size of the codes.
    return { isKept: true, headerBytes: GIF_IMAGE_HEADER_BYTES + getColorTableBytes(bytes[9]) + 1 };
  }
  if (kind !== GIF_EXTENSION) return null;
  if (bytes.length < (label === GIF_APPLICATION ? GIF_LOOP_BYTES : 2)) return 'incomplete';
  if (label !== GIF_APPLICATION || bytes.toString('latin1', 3, 15) !== 'NETSCAPE2.0\x03') {
    return { isKept: label === GIF_GRAPHIC_CONTROL, headerBytes: 2 };
  }
  const loop = Buffer.concat([bytes.subarray(0, GIF_LOOP_BYTES), Buffer.of(0)]);
  return { isKept: false, headerBytes: GIF_LOOP_BYTES, loop };
}

const getColorTableBytes = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));
