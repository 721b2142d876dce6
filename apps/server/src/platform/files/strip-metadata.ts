/** Markers of JPEG segments with personal data: APP1 (EXIF with GPS, XMP), APP3 to APP13 (camera makers, IPTC), APP15 and comments. */
const isPrivateSegment = (marker: number) => marker === 0xe1 || (marker >= 0xe3 && marker <= 0xed) || marker === 0xef || marker === 0xfe;
const [START_OF_SCAN, END_OF_IMAGE, EXIF_SEGMENT, COLOR_SEGMENT] = [0xda, 0xd9, 0xe1, 0xe2];

const PRIVATE_PNG_CHUNKS: ReadonlySet<string> = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']);

/** Returns true for the types of images that cameras store locations in. */
export const canHaveLocation = (fileType: string) => fileType === 'image/jpeg' || fileType === 'image/png';

/** Removes location, camera and author from a JPEG or PNG without re-encoding it. Returns null if the image is damaged. */
export function stripMetadata(bytes: Buffer, fileType: string): Buffer | null {
  return fileType === 'image/jpeg' ? stripJpeg(bytes) : stripPng(bytes);
}

/** Keeps only the orientation of the EXIF data, and drops everything after the end of the image, such as a phone's motion video. */
function stripJpeg(bytes: Buffer): Buffer | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null;
  const parts = [bytes.subarray(0, 2)];
  let position = 2;
  while (position + 4 <= bytes.length) {
    if (bytes[position] !== 0xff) return null;
    const marker = bytes[position + 1] ?? 0;
    if (marker === 0xff) {
      // Any number of fill bytes may precede a marker.
      position += 1;
      continue;
    }
    const end = position + 2 + bytes.readUInt16BE(position + 2);
    if (end > bytes.length) return null;
    const segment = bytes.subarray(position, end);
    const isColorProfile = marker !== COLOR_SEGMENT || segment.toString('latin1', 4, 15) === 'ICC_PROFILE';
    if (marker === EXIF_SEGMENT) parts.push(...buildOrientationSegment(segment));
    else if (!isPrivateSegment(marker) && isColorProfile) parts.push(segment);
    position = end;
    if (marker === START_OF_SCAN) {
      const scanEnd = findScanEnd(bytes, position);
      if (scanEnd === null) return null;
      parts.push(bytes.subarray(position, scanEnd));
      position = scanEnd;
    }
    if (bytes[position] === 0xff && bytes[position + 1] === END_OF_IMAGE) {
      return Buffer.concat([...parts, bytes.subarray(position, position + 2)]);
    }
  }
  return null;
}

/** Finds the marker that ends the compressed data. In the data, 0xff is followed by 0 or by a restart marker (0xd0 to 0xd7). */
function findScanEnd(bytes: Buffer, start: number): number | null {
  for (let at = bytes.indexOf(0xff, start); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return null;
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

function stripPng(bytes: Buffer): Buffer | null {
  const parts = [bytes.subarray(0, PNG_SIGNATURE_BYTES)];
  for (let position = PNG_SIGNATURE_BYTES; position + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', position + 4, position + 8);
    const end = position + 12 + bytes.readUInt32BE(position);
    if (end > bytes.length) return null;
    if (!PRIVATE_PNG_CHUNKS.has(type)) parts.push(bytes.subarray(position, end));
    if (type === 'IEND') return Buffer.concat(parts);
    position = end;
  }
  return null;
}
