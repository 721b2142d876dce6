import { type ReactNode, useMemo } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Section, Sections } from '../../ui/sections.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { useCan, useProfile } from './company.api.ts';
import { GeneralSettings } from './general-settings.tsx';

export type SettingsTab = 'general' | 'categories' | 'menu-order' | 'profile';

interface SettingsPageProps {
  /** Without one, the first tab of the company's that this role may use, else the own profile. */
  tab: SettingsTab | undefined;
  onTab: (tab: SettingsTab) => void;
  /** Parts of other features, which the route puts in. */
  categories: ReactNode;
  menuOrder: ReactNode;
  /** The person's own name, phone and picture. */
  details: ReactNode;
  /** How the person leaves the company. */
  leave: ReactNode;
}

export function SettingsPage({ tab, onTab, categories, menuOrder, details, leave }: SettingsPageProps) {
  const profile = useProfile();
  usePrefetch(loadProfile);
  const [mayEdit, mayCategorize] = [useCan('company.edit'), useCan('categories.edit')];
  const sections = useMemo(
    (): Section<SettingsTab>[] => [
      ...(mayEdit && profile ? [{ id: 'general' as const, label: 'General', content: <GeneralSettings profile={profile} /> }] : []),
      ...(mayCategorize ? [{ id: 'categories' as const, label: 'Categories', content: categories }] : []),
      { id: 'menu-order', label: 'Menu Order', content: menuOrder },
      { id: 'profile', label: 'Profile', content: <Profile details={details} leave={leave} /> },
    ],
    [mayEdit, mayCategorize, profile, categories, menuOrder, details, leave],
  );
  const [first] = sections;
  // Whoever has no part in the company's settings comes for their own profile.
  const home = first && first.id !== 'menu-order' ? first.id : 'profile';
  const active = sections.find(({ id }) => id === tab)?.id ?? home;
  return (
    <>
      {mayEdit ? (
        <PageHeader title="Company Settings" aside={<StatusPill tone="accent" text="Free Plan" />} />
      ) : (
        <PageHeader title="Settings" />
      )}
      {!profile?.company_name && (
        <Banner tone="warn" className="mb-4">
          <p className="font-semibold">Company Profile Not Set Up</p>
          <p className="font-normal">
            {mayEdit
              ? 'Enter your company name below. It appears on every quote and invoice.'
              : 'Please ask an admin of your company to enter its name.'}
          </p>
        </Banner>
      )}
      <Sections label="Settings" sections={sections} active={active} onChange={onTab} tabsOnPhones />
    </>
  );
}

const loadProfile = () => import('./profile-settings.tsx');

/** The forms of the sign-in are loaded with the first look at them. */
function Profile(parts: { details: ReactNode; leave: ReactNode }) {
  const file = useLazyModule(loadProfile, true);
  return file ? <file.ProfileSettings {...parts} /> : <SkeletonRows label="Loading..." count={4} className="h-14" />;
}
