import { classes } from './classes.ts';

export type ButtonTone = 'primary' | 'secondary' | 'tinted' | 'quiet' | 'accent' | 'danger';

const TONES: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-raised text-ink shadow-card hover:bg-sunken',
  /** For reaching people and places: readable in the sun without competing with the filled button. */
  tinted: 'bg-accent-soft text-accent-ink hover:brightness-95',
  quiet: 'text-ink-2 hover:bg-sunken hover:text-ink',
  /** As quiet, for what people are most likely to want here. */
  accent: 'text-accent-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};

const BASE =
  'inline-flex min-h-11 max-w-full shrink-0 items-center justify-center gap-2 rounded-control text-base font-medium select-none transition-colors duration-120 sm:whitespace-nowrap lg:min-h-9 ' +
  'disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

/** The look of a button, shared by buttons and links. */
export function buttonStyle(tone: ButtonTone = 'secondary', wide = false): string {
  return classes(BASE, 'px-4 lg:px-3.5', TONES[tone], wide && 'w-full');
}

/** A square button that shows only an icon: 44 px below 1024 px, 36 px above. With large text it leaves the room to the words. */
export function iconButtonStyle(tone: ButtonTone = 'quiet'): string {
  return classes(BASE, 'w-[min(2.75rem,48px)] lg:w-9 [&_svg]:size-5 lg:[&_svg]:size-4.5', TONES[tone]);
}
