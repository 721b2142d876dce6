import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router';
import { ArrowLeft, PanelLeft, Search } from 'lucide-react';
import { useCan, useProfile } from '../../features/company/company.api.ts';
import { NotificationBell } from '../../features/notifications/notification-bell.tsx';
import { TimerChip } from '../../features/timer/timer-chip.tsx';
import { IconButton } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { getBackFallbackPath, hasBackButton } from '../back-fallback.ts';
import { Kbd, MODIFIER_KEY } from './shortcuts.tsx';
import { StatusChip } from './status-chip.tsx';
import type { SidebarState } from './use-sidebar.ts';

interface HeaderProps {
  sidebar: SidebarState;
  hasRendered: boolean;
  onSearch: () => void;
}

export function Header({ sidebar, hasRendered, onSearch }: HeaderProps) {
  const profile = useProfile();
  const inCompany = useCan('work.view');
  return (
    <header
      data-top-bar=""
      className="sticky top-0 z-30 flex min-h-(--top-bar-height) flex-wrap items-center gap-1 border-b bg-surface px-2 pt-[env(safe-area-inset-top)] lg:gap-2 lg:px-4 print:hidden"
    >
      {/* Only the search box and the bell are in the other part, which toasts cover on desktop. */}
      <div className="flex min-w-0 flex-1 items-center gap-1 max-sm:contents lg:max-w-2/5 lg:gap-2">
        {sidebar.isDocked && (
          <IconButton
            label={sidebar.isOpen ? 'Hide menu' : 'Show menu'}
            aria-expanded={sidebar.isOpen}
            aria-controls="sidebar"
            onClick={sidebar.toggle}
          >
            <PanelLeft aria-hidden="true" />
          </IconButton>
        )}
        <BackButton />
        <p className="min-w-0 truncate px-1 text-lg font-semibold tracking-tight max-lg:flex-1">{profile?.company_name || PRODUCT_NAME}</p>
        {profile && !profile.company_name && (
          <LinkButton to="/settings" tone="primary" className="max-sm:order-last max-sm:mb-2 max-sm:basis-full">
            Setup Company Profile
          </LinkButton>
        )}
        {hasRendered && <TimerChip />}
        <StatusChip />
      </div>
      <button
        type="button"
        onClick={onSearch}
        className="hidden h-9 w-64 items-center gap-2.5 rounded-control bg-sunken px-3 text-base text-ink-3 hover:text-ink-2 lg:ml-auto lg:flex xl:w-80"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="flex-1 text-left">Search or go to…</span>
        <Kbd>{MODIFIER_KEY} K</Kbd>
      </button>
      <IconButton label="Search or go to" onClick={onSearch} className="lg:hidden">
        <Search aria-hidden="true" />
      </IconButton>
      {inCompany && (
        <span className="flex h-11 w-[min(2.75rem,48px)] lg:size-9">
          <NotificationBell isEnabled={hasRendered} />
        </span>
      )}
    </header>
  );
}

function BackButton() {
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  const canGoBack = useCanGoBack();
  // A user without a company can open only the Admin page, so there is no page to go back to.
  const hasCompany = useProfile() !== null;
  if (!hasCompany || !hasBackButton(pathname)) return null;
  const goBack = () => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: getBackFallbackPath(pathname), replace: true });
  };
  return (
    <IconButton label="Back" onClick={goBack}>
      <ArrowLeft aria-hidden="true" />
    </IconButton>
  );
}
