import { classNames } from './class-names.ts';

export type PillTone = 'neutral' | 'accent' | 'ok' | 'info' | 'warn' | 'danger' | 'violet';

const TONES: Record<PillTone, string> = {
  neutral: 'bg-neutral-soft text-neutral-ink',
  accent: 'bg-accent-soft text-accent-ink',
  ok: 'bg-ok-soft text-ok-ink',
  info: 'bg-info-soft text-info-ink',
  warn: 'bg-warn-soft text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
  violet: 'bg-violet-soft text-violet-ink',
};

/** Always displays the status as text, because color alone is not accessible. */
export function StatusPill({ tone = 'neutral', text }: { tone?: PillTone; text: string }) {
  return (
    <span
      className={classNames('inline-flex h-6 shrink-0 items-center rounded-full px-2.5 text-xs font-medium whitespace-nowrap', TONES[tone])}
    >
      {text}
    </span>
  );
}
