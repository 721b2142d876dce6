import { afterEach, expect, it, vi } from 'vitest';
import { readScaled } from './scale-photo.ts';

/** Simulates a browser that decodes images of the given size, and encodes any canvas to `encodedBytes`. */
function stubImages(width: number, height: number, encodedBytes = 2) {
  const close = vi.fn();
  const decode = vi.fn(async () => ({ width, height, close }));
  vi.stubGlobal('createImageBitmap', decode);
  const canvas = {
    width: 0,
    height: 0,
    getContext: () => ({ drawImage: () => undefined }),
    toBlob: (onBlob: (blob: Blob) => void, type: string) => onBlob(new Blob(['x'.repeat(encodedBytes)], { type })),
  };
  vi.spyOn(document, 'createElement').mockReturnValue(canvas as never);
  return { canvas, close, decode };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const createFile = (type: string) => new File(['original'], 'photo', { type });
const readText = async (file: File) => new TextDecoder().decode(await readScaled(file));

it.each([
  [4_000, 3_000, 2_048, 1_536],
  [3_000, 4_000, 1_536, 2_048],
  [9_000, 10, 2_048, 2],
])('scales %d × %d pixels to %d × %d', async (width, height, scaledWidth, scaledHeight) => {
  const { canvas, close } = stubImages(width, height);
  expect(await readText(createFile('image/jpeg'))).toBe('xx');
  expect([canvas.width, canvas.height]).toEqual([scaledWidth, scaledHeight]);
  expect(close).toHaveBeenCalledOnce();
});

it('keeps a photo that is small enough', async () => {
  const { close } = stubImages(2_048, 1_000);
  expect(await readText(createFile('image/jpeg'))).toBe('original');
  expect(close).toHaveBeenCalledOnce();
});

it('keeps a photo that would only become larger', async () => {
  stubImages(4_000, 3_000, 100);
  expect(await readText(createFile('image/png'))).toBe('original');
});

it('keeps a photo that the browser cannot decode', async () => {
  stubImages(1, 1).decode.mockRejectedValue(new DOMException('Broken', 'InvalidStateError'));
  expect(await readText(createFile('image/jpeg'))).toBe('original');
});

it.each(['image/gif', 'application/pdf'])('keeps a file of the type %s without decoding it', async (type) => {
  const { decode } = stubImages(4_000, 3_000);
  expect(await readText(createFile(type))).toBe('original');
  expect(decode).not.toHaveBeenCalled();
});
