import { useState } from 'react';
import { classNames } from './class-names.ts';
import { getContrastStyle } from './contrast-style.ts';

function getInitial(name: string): string {
  return String.fromCodePoint(name.trim().codePointAt(0) ?? 0x3f).toUpperCase();
}

interface AvatarProps {
  name: string;
  /** URL of the picture. Without one, or if loading fails, the initial is displayed. */
  src?: string | null | undefined;
  /** The person's color, behind the initial. Without one, the initial has the default colors. */
  color?: string | null | undefined;
  /** Replaces the default size of the circle and its initial. */
  className?: string | undefined;
}

const SHAPE = 'inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none';

/** Hidden from screen readers, because the name is always displayed next to the avatar. */
export function Avatar({ name, src, color, className = 'size-9 text-sm' }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (src && src !== failedSrc) {
    return <img src={src} alt="" onError={() => setFailedSrc(src)} className={classNames(SHAPE, 'bg-sunken object-cover', className)} />;
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(SHAPE, !color && 'bg-accent-soft text-accent-ink', className)}
      style={color ? getContrastStyle(color) : undefined}
    >
      {getInitial(name)}
    </span>
  );
}
