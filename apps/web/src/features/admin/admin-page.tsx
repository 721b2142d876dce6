import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type ResponsiveTab, ResponsiveTabs } from '../../ui/responsive-tabs.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useOnlineStatus } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useProfile } from '../company/company.api.ts';
import { OFFLINE_MESSAGE } from './admin-query-view.tsx';
import { CompaniesSection } from './companies-section.tsx';
import { type OutboxSearch, OutboxSection } from './outbox-section.tsx';
import { QueueSection } from './queue-section.tsx';

export type AdminTab = 'companies' | 'outbox' | 'queue' | 'profile';

interface AdminPageProps {
  tab: AdminTab;
  onTabChange: (tab: AdminTab) => void;
  outbox: OutboxSearch;
  onOutboxChange: (outbox: OutboxSearch) => void;
}

export function AdminPage({ tab, onTabChange, outbox, onOutboxChange }: AdminPageProps) {
  const isOnline = useOnlineStatus();
  const hasCompany = useProfile() !== null;
  const tabs: ResponsiveTab<AdminTab>[] = [
    { id: 'companies', label: 'Companies', content: <CompaniesSection /> },
    { id: 'outbox', label: 'Outbox', content: <OutboxSection outbox={outbox} onOutboxChange={onOutboxChange} /> },
    { id: 'queue', label: 'Queue', content: <QueueSection /> },
    // System administrators who belong to a company edit their profile in the company's settings, so they get no Profile tab.
    ...(hasCompany ? [] : [{ id: 'profile' as const, label: 'Profile', content: <MyProfile /> }]),
  ];
  const active = tabs.find(({ id }) => id === tab)?.id ?? 'companies';
  return (
    <>
      <PageHeader title="System Administration" note={<TimeZoneNote />} aside={<StatusPill tone="violet" text="System Admin" />} />
      {!isOnline && (
        <Banner tone="warn" className="mb-4">
          <p className="font-semibold">No Internet Connection</p>
          <p className="font-normal">{OFFLINE_MESSAGE}</p>
        </Banner>
      )}
      <ResponsiveTabs label="System administration" tabs={tabs} active={active} onChange={onTabChange} tabsOnPhones />
    </>
  );
}

/** Renders the profile forms. Loaded lazily, because the forms are large and rarely opened from the admin page. */
function MyProfile() {
  const forms = useLazyModule(() => import('../company/profile-settings.tsx'), true);
  return forms && <forms.ProfileSettings />;
}
