import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Section, Sections } from '../../ui/sections.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useOnline } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useProfile } from '../company/company.api.ts';
import { NO_INTERNET } from './admin-query-view.tsx';
import { CompaniesSection } from './companies-section.tsx';
import { type OutboxSearch, OutboxSection } from './outbox-section.tsx';
import { QueueSection } from './queue-section.tsx';

export type AdminTab = 'companies' | 'outbox' | 'queue' | 'profile';

interface AdminPageProps {
  tab: AdminTab;
  onTab: (tab: AdminTab) => void;
  outbox: OutboxSearch;
  onOutbox: (outbox: OutboxSearch) => void;
}

export function AdminPage({ tab, onTab, outbox, onOutbox }: AdminPageProps) {
  const online = useOnline();
  const hasCompany = useProfile() !== null;
  const sections: Section<AdminTab>[] = [
    { id: 'companies', label: 'Companies', content: <CompaniesSection /> },
    { id: 'outbox', label: 'Outbox', content: <OutboxSection outbox={outbox} onOutbox={onOutbox} /> },
    { id: 'queue', label: 'Queue', content: <QueueSection /> },
    // With a company, the profile is in its settings.
    ...(hasCompany ? [] : [{ id: 'profile' as const, label: 'Profile', content: <OwnProfile /> }]),
  ];
  const active = sections.find(({ id }) => id === tab)?.id ?? 'companies';
  return (
    <>
      <PageHeader title="System Administration" aside={<StatusPill tone="violet" text="System Admin" />} />
      {!online && (
        <Banner tone="warn" className="mb-4">
          <p className="font-semibold">No Internet Connection</p>
          <p className="font-normal">{NO_INTERNET}</p>
        </Banner>
      )}
      <Sections label="System administration" sections={sections} active={active} onChange={onTab} tabsOnPhones />
    </>
  );
}

/** Loaded when opened: its forms are heavy and rarely needed. */
function OwnProfile() {
  const forms = useLazyModule(() => import('../company/profile-settings.tsx'), true);
  return forms && <forms.ProfileSettings />;
}
