import type { Profile } from '@callout/contract/company';
import { type ReactNode, useMemo } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type ResponsiveTab, ResponsiveTabs } from '../../ui/responsive-tabs.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { useCan, useProfile } from './company.api.ts';
import { GeneralSettings } from './general-settings.tsx';

export type SettingsTab = 'general' | 'categories' | 'menu-order' | 'profile';

interface SettingsPageProps {
  /** Undefined opens the first company tab that the user's role can use, or the profile if there is none. */
  tab: SettingsTab | undefined;
  onTabChange: (tab: SettingsTab) => void;
  /** Tab contents from other features, passed in by the route. */
  categories: ReactNode;
  menuOrder: ReactNode;
  personalDetails: ReactNode;
  leaveCompany: ReactNode;
}

export function SettingsPage({ tab, onTabChange, categories, menuOrder, personalDetails, leaveCompany }: SettingsPageProps) {
  const profile = useProfile();
  usePrefetch(loadProfileSettings);
  const [canEdit, canEditCategories] = [useCan('company.edit'), useCan('categories.edit')];
  const sections = useMemo(
    (): ResponsiveTab<SettingsTab>[] => [
      ...(canEdit && profile ? [{ id: 'general' as const, label: 'General', content: <CompanyTab profile={profile} /> }] : []),
      ...(canEditCategories ? [{ id: 'categories' as const, label: 'Categories', content: categories }] : []),
      { id: 'menu-order', label: 'Menu Order', content: menuOrder },
      { id: 'profile', label: 'Profile', content: <LazyProfileSettings details={personalDetails} leave={leaveCompany} /> },
    ],
    [canEdit, canEditCategories, profile, categories, menuOrder, personalDetails, leaveCompany],
  );
  const [first] = sections;
  // Menu Order comes first only for users who can't edit any company settings. They see their profile instead.
  const defaultTab = first && first.id !== 'menu-order' ? first.id : 'profile';
  const active = sections.find(({ id }) => id === tab)?.id ?? defaultTab;
  return (
    <>
      {canEdit ? (
        <PageHeader title="Company Settings" aside={<StatusPill tone="accent" text="Free Plan" />} />
      ) : (
        <PageHeader title="Settings" />
      )}
      {!profile?.company_name && (
        <Banner tone="warn" className="mb-4">
          <p className="font-semibold">Company Profile Not Set Up</p>
          <p className="font-normal">
            {canEdit
              ? 'Enter your company name below. It appears on every quote and invoice.'
              : 'Please ask an admin of your company to enter its name.'}
          </p>
        </Banner>
      )}
      <ResponsiveTabs label="Settings" tabs={sections} active={active} onChange={onTabChange} tabsOnPhones />
    </>
  );
}

const loadDeleteCompany = () => import('./delete-company-section.tsx');

function CompanyTab({ profile }: { profile: Profile }) {
  const deletion = useLazyModule(loadDeleteCompany, useCan('company.delete'));
  return (
    <div className="space-y-6">
      <GeneralSettings profile={profile} />
      {deletion && <deletion.DeleteCompanySection />}
    </div>
  );
}

const loadProfileSettings = () => import('./profile-settings.tsx');

function LazyProfileSettings(parts: { details: ReactNode; leave: ReactNode }) {
  const module = useLazyModule(loadProfileSettings, true);
  return module ? <module.ProfileSettings {...parts} /> : <SkeletonRows label="Loading..." count={4} className="h-14" />;
}
