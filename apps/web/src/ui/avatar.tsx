import { classes } from './classes.ts';

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x20));
  return letters.join('').trim().toUpperCase() || '?';
}

/** Decoration beside a name that is written out. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent-ink select-none',
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}
