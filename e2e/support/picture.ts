import { crc32, deflateSync } from 'node:zlib';

const SIDE = 320;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** A real png: a square of one color. */
function picture(red: number, green: number, blue: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  // 8 bits each of red, green and blue.
  head.set([8, 2], 8);
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(SIDE * 3, Buffer.from([red, green, blue]))]);
  const lines = Buffer.concat(Array.from({ length: SIDE }, () => line));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))]);
}

export const PICTURE = picture(15, 118, 110);
