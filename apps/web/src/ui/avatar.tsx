import { useState } from 'react';
import { classes } from './classes.ts';

function initial(name: string): string {
  return String.fromCodePoint(name.trim().codePointAt(0) ?? 0x3f).toUpperCase();
}

/** Black or white, whichever reads better on a colour such as '#2563eb': never less than 4.5:1. */
export function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

interface AvatarProps {
  name: string;
  /** A picture; without one, or when it cannot be loaded, the initial shows. */
  src?: string | null | undefined;
  /** What the initial stands on, such as '#2563eb'. */
  color?: string | null | undefined;
  /** How large it is and its initial, instead of the usual size. */
  className?: string | undefined;
}

const SHAPE = 'inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none';

/** Decoration beside a name that is written out. */
export function Avatar({ name, src, color, className = 'size-9 text-sm' }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  if (src && src !== broken) {
    return <img src={src} alt="" onError={() => setBroken(src)} className={classes(SHAPE, 'bg-sunken object-cover', className)} />;
  }
  return (
    <span
      aria-hidden="true"
      className={classes(SHAPE, !color && 'bg-accent-soft text-accent-ink', className)}
      style={color ? { backgroundColor: color, color: inkOn(color) } : undefined}
    >
      {initial(name)}
    </span>
  );
}
