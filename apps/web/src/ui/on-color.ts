/** For what stands on a colour such as '#2563eb': black or white, whichever reads better, and never below 4.5:1. */
export function onColor(color: string): { backgroundColor: string; color: string } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { backgroundColor: color, color: light > 0.179 ? '#000' : '#fff' };
}
