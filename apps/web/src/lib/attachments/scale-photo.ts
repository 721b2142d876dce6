/** Enough to read a label in a photo. A phone's camera has three times as many pixels per side. */
const MAX_SIDE_PX = 2_048;
const QUALITY = 0.85;
/** Other images may move, and files that aren't images stay as they are. */
const SCALED_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png']);

/**
 * Reads a file, and scales a large photo down on the way. Returns a copy of the bytes, because phones lose the contents of File objects. A
 * photo that is small enough or that the browser can't decode stays as it is.
 */
export async function readScaled(file: File): Promise<ArrayBuffer> {
  const scaled = SCALED_TYPES.has(file.type) ? await scalePhoto(file).catch(() => null) : null;
  return (scaled && scaled.size < file.size ? scaled : file).arrayBuffer();
}

async function scalePhoto(file: File): Promise<Blob | null> {
  // Turned as the camera was held, because the scaled photo no longer says so.
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const scale = MAX_SIDE_PX / Math.max(image.width, image.height);
    if (scale >= 1) return null;
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, file.type, QUALITY));
  } finally {
    image.close();
  }
}
