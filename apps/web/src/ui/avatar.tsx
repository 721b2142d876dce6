import { type CSSProperties, useState } from 'react';
import { classes } from './classes.ts';

function initial(name: string): string {
  return String.fromCodePoint(name.trim().codePointAt(0) ?? 0x3f).toUpperCase();
}

interface AvatarProps {
  name: string;
  /** A picture; without one, or when it cannot be loaded, the initial shows. */
  src?: string | null | undefined;
  /** What the initial stands on, instead of the usual colors: see `onColor`. */
  style?: CSSProperties | undefined;
  /** How large it is and its initial, instead of the usual size. */
  className?: string | undefined;
}

const SHAPE = 'inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none';

/** Decoration beside a name that is written out. */
export function Avatar({ name, src, style, className = 'size-9 text-sm' }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  if (src && src !== broken) {
    return <img src={src} alt="" onError={() => setBroken(src)} className={classes(SHAPE, 'bg-sunken object-cover', className)} />;
  }
  return (
    <span aria-hidden="true" className={classes(SHAPE, !style && 'bg-accent-soft text-accent-ink', className)} style={style}>
      {initial(name)}
    </span>
  );
}
