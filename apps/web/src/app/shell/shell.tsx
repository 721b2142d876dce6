import { can } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useState } from 'react';
import { MeContext, meQuery, useProfile } from '../../features/company/company.api.ts';
import { followTheme } from '../../lib/theme.ts';
import { classes } from '../../ui/classes.ts';
import { useNavigation } from '../navigation-store.ts';
import { AccessDeniedPage } from '../status-pages.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Header } from './header.tsx';
import { ShellOverlays } from './shell-overlays.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './use-sidebar.ts';

/** The frame of every signed-in page. Whoever takes `me` out of the cache while it shows takes away every open form: leave the shell first. */
export function Shell() {
  const { data: me } = useQuery(meQuery);
  return <MeContext value={me}>{me && <Frame />}</MeContext>;
}

function Frame() {
  const sidebar = useSidebar();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  // The timer and the number at the bell are read after the page, which a slow phone shows sooner without them.
  const hasRendered = useDeferredValue(true, false);
  useVisits();
  useEffect(followTheme, []);

  const isCovered = sidebar.open && !sidebar.beside;
  return (
    <>
      <SkipLink inert={isCovered} />
      <Sidebar {...sidebar} />
      <div
        inert={isCovered}
        className={classes('transition-[padding] duration-200 ease-out', sidebar.open && sidebar.beside && 'lg:pl-64', 'print:pl-0!')}
      >
        <Header sidebar={sidebar} hasRendered={hasRendered} onSearch={openPalette} />
        <ShellOverlays hasRendered={hasRendered} paletteOpen={paletteOpen} onPalette={setPaletteOpen} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto max-w-7xl px-4 pt-4 has-data-full-width:max-w-none pb-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom)+1.5rem)] outline-none lg:px-6 lg:pt-6 lg:pb-10 print:max-w-none print:p-0"
        >
          <AllowedPage />
        </main>
        {!sidebar.beside && <BottomBar sidebar={sidebar} />}
      </div>
    </>
  );
}

/** The page, or why this role may not see it. */
function AllowedPage() {
  const { needs, denied } = useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {};
  const role = useProfile()?.role;
  return needs === undefined || can(role, needs) ? <Outlet /> : <AccessDeniedPage sentence={denied} />;
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

function useVisits(): void {
  const href = useLocation({ select: (location) => location.href });
  const visit = useNavigation((store) => store.visit);
  useEffect(() => visit(href), [href, visit]);
}
