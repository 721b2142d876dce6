import { useMatches } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageHeaderProps {
  title: string;
  /** Beside the title: a count, a pill. */
  aside?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
}

/** The one h1 of a screen, and what can be done here. Long titles wrap, actions never leave the screen. */
export function PageHeader({ title, aside, subtitle, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfterNavigation(heading);
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
      <div className="min-w-0 flex-1 basis-48">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none [overflow-wrap:anywhere]">
            {title}
          </h1>
          {aside && <div className="text-sm text-ink-3">{aside}</div>}
        </div>
        {subtitle && <div className="mt-0.5 text-base text-ink-2">{subtitle}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}

/** The page that the browser itself opened, and reads out from its top. */
let openedPage: string | undefined;

/**
 * A new page starts at its heading, for people who listen and people who use the keyboard: the link that led here is gone or far away.
 * So does a page whose form (`?edit=true`) was closed. A field that takes the focus itself keeps it.
 */
function useFocusAfterNavigation(heading: React.RefObject<HTMLHeadingElement | null>): void {
  const page = useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      return `${last?.pathname} ${(last?.search as { edit?: string } | undefined)?.edit}`;
    },
  });
  useEffect(() => {
    openedPage ??= page;
    if (openedPage === page) return;
    openedPage = '';
    if (document.activeElement?.matches('body, a')) heading.current?.focus({ preventScroll: true });
  }, [heading, page]);
}
