/** Returns a text style for a background such as '#2563eb': black or white, whichever contrasts better (always at least 4.5:1). */
export function getContrastStyle(color: string): { backgroundColor: string; color: string } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => (Number.parseInt(color.slice(start, start + 2), 16) / 255) ** 2.2);
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { backgroundColor: color, color: luminance > 0.179 ? '#000' : '#fff' };
}
