import type { Me } from '@callout/contract/company';
import { hasCapability } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useState } from 'react';
import { MeContext, meQueryOptions, useProfile } from '../../features/company/company.api.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { startThemeSync } from '../../lib/theme.ts';
import { classNames } from '../../ui/class-names.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { AccessDeniedPage } from '../fallback-pages.tsx';
import { useNavigationStore } from '../navigation-store.ts';
import { signOutAllTabs } from '../session.ts';
import { BottomBar } from './bottom-bar.tsx';
import { Header } from './header.tsx';
import { ShellOverlays } from './shell-overlays.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './use-sidebar.ts';

/** The frame around every signed-in page. Leave the shell before removing `me` from the cache, which unmounts all open forms. */
export function Shell() {
  const { data: me } = useQuery({ ...meQueryOptions, select: useOverlays<Me>(meQueryOptions.queryKey) });
  const isAdminPage = useLocation({ select: ({ pathname }) => pathname === '/admin' });
  // The system administrator runs the server, whatever happens to their own company.
  const isClosed = me?.company_deletes_at != null && !(me.is_system_admin && isAdminPage);
  const closedPage = useLazyModule(() => import('../../features/company/closed-company-page.tsx'), isClosed);
  if (isClosed)
    return <MeContext value={me}>{closedPage && <closedPage.ClosedCompanyPage onSignOut={() => void signOutAllTabs()} />}</MeContext>;
  return <MeContext value={me}>{me && <ShellFrame />}</MeContext>;
}

function ShellFrame() {
  const sidebar = useSidebar();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  // The timer and the notification count load after the page, so that the page appears sooner on a slow phone.
  const hasRendered = useDeferredValue(true, false);
  useVisitTracking();
  useEffect(startThemeSync, []);

  const { isOpen, isDocked } = sidebar;
  const isCovered = isOpen && !isDocked;
  return (
    <>
      <SkipLink inert={isCovered} />
      <Sidebar {...sidebar} />
      <div
        inert={isCovered}
        className={classNames('transition-[padding] duration-200 ease-out', isOpen && isDocked && 'lg:pl-64', 'print:pl-0!')}
      >
        <Header sidebar={sidebar} hasRendered={hasRendered} onSearch={openPalette} />
        <ShellOverlays hasRendered={hasRendered} isPaletteOpen={isPaletteOpen} onPaletteOpenChange={setPaletteOpen} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto max-w-7xl px-4 pt-4 has-data-full-width:max-w-none pb-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom)+1.5rem)] outline-none lg:px-6 lg:pt-6 lg:pb-10 print:max-w-none print:p-0"
        >
          <AuthorizedPage />
        </main>
        {!isDocked && <BottomBar sidebar={sidebar} />}
      </div>
    </>
  );
}

function AuthorizedPage() {
  const { needs, deniedMessage } = useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {};
  const role = useProfile()?.role;
  return needs === undefined || hasCapability(role, needs) ? <Outlet /> : <AccessDeniedPage message={deniedMessage} />;
}

function SkipLink({ inert }: { inert: boolean }) {
  return (
    <button
      type="button"
      inert={inert}
      className="fixed top-2 left-2 z-80 -translate-y-20 rounded-control bg-accent px-4 py-2.5 font-medium text-on-accent focus:translate-y-0"
      onClick={() => document.getElementById('main')?.focus()}
    >
      Skip to content
    </button>
  );
}

function useVisitTracking(): void {
  const href = useLocation({ select: (location) => location.href });
  const recordVisit = useNavigationStore((store) => store.recordVisit);
  useEffect(() => recordVisit(href), [href, recordVisit]);
}
