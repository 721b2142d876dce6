import { classNames } from './class-names.ts';

export type ButtonTone = 'primary' | 'secondary' | 'tinted' | 'quiet' | 'accent' | 'danger';

const TONE_CLASSES: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-raised text-ink shadow-card hover:bg-sunken',
  /** For the call, email and directions buttons: readable in sunlight without competing with the primary button. */
  tinted: 'bg-accent-soft text-accent-ink hover:brightness-95',
  quiet: 'text-ink-2 hover:bg-sunken hover:text-ink',
  /** Like `quiet`, but for the most likely action. */
  accent: 'text-accent-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};

const BASE_CLASSES =
  'inline-flex min-h-11 max-w-full shrink-0 items-center justify-center gap-2 rounded-control text-base font-medium select-none transition-colors duration-120 sm:whitespace-nowrap lg:min-h-9 ' +
  'disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

/** Returns the classes shared by buttons and links that look like buttons. */
export function getButtonClasses(tone: ButtonTone = 'secondary', isFullWidth = false): string {
  return classNames(BASE_CLASSES, 'px-4 lg:px-3.5', TONE_CLASSES[tone], isFullWidth && 'w-full');
}

/** Returns the classes for a square icon button: 44 px below 1024 px, otherwise 36 px. A width cap leaves room for enlarged labels. */
export function getIconButtonClasses(tone: ButtonTone = 'quiet'): string {
  return classNames(BASE_CLASSES, 'w-[min(2.75rem,48px)] lg:w-9 [&_svg]:size-5 lg:[&_svg]:size-4.5', TONE_CLASSES[tone]);
}
