import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import { useEffect, useRef } from 'react';
import { classNames } from '../ui/class-names.ts';

/** Message at the top of the page about the result of the last action. */
export interface PageNotice {
  readonly tone: 'ok' | 'info';
  readonly text: string;
}

/** Scrolls into view and takes the focus, because the button that led to the notice has disappeared. */
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
      className={classNames(
        'mb-4 flex animate-rise items-start gap-2.5 rounded-card px-4 py-3 text-base font-medium outline-none print:hidden',
        tone === 'ok' ? 'bg-ok-soft text-ok-ink' : 'bg-info-soft text-info-ink',
      )}
    >
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      {text}
    </div>
  );
}
