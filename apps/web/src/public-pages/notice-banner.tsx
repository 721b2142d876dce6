import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import { useEffect, useRef } from 'react';
import { classes } from '../ui/classes.ts';

/** A sentence at the top of the page about what has just happened. */
export interface PageNotice {
  readonly tone: 'ok' | 'info';
  readonly text: string;
}

/** Comes into view and into focus: the button that caused it is gone. */
export function NoticeBanner({ notice: { tone, text } }: { notice: PageNotice }) {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    banner.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  const Icon = tone === 'ok' ? CircleCheck : Info;
  return (
    <div
      ref={banner}
      role="status"
      tabIndex={-1}
      className={classes(
        'mb-4 flex animate-rise items-start gap-2.5 rounded-card px-4 py-3 text-base font-medium outline-none print:hidden',
        tone === 'ok' ? 'bg-ok-soft text-ok-ink' : 'bg-info-soft text-info-ink',
      )}
    >
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      {text}
    </div>
  );
}
