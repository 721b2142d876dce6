import type { Profile } from '@callout/contract/company';
import { hasCapability } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { reportFailure } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { meQueryOptions } from './company.api.ts';
import { OnboardingForm } from './onboarding-form.tsx';

interface OnboardingPageProps {
  onSignOut: () => void;
  /** Shown to users who were invited to an existing company. */
  invitationNotice: ReactNode;
}

/** First page for a new owner, outside the shell. Creates the company only on save, because many visitors have an invitation. */
export function OnboardingPage({ onSignOut, invitationNotice }: OnboardingPageProps) {
  // The user may join a company in another tab, so refetch whenever this tab regains the focus.
  const me = useQuery({ ...meQueryOptions, refetchOnWindowFocus: 'always', retry: 1 });
  const navigate = useNavigate();
  const isDone = isOnboardingDone(me.data?.profile ?? null);
  const isSystemAdmin = me.data?.is_system_admin ?? false;

  const failed = me.isLoadingError ? me.error : null;
  useEffect(() => {
    if (failed) reportFailure(failed, 'Error loading profile');
  }, [failed]);
  useEffect(() => {
    if (isDone) void navigate({ to: '/dashboard', replace: true, ignoreBlocker: true });
  }, [isDone, navigate]);

  return (
    <main className="mx-auto w-full max-w-xl px-4 py-8 sm:py-12">
      <img src="/icon.svg" alt="" width={48} height={48} className="mb-4" />
      <h1 className="text-2xl font-semibold tracking-tight">Complete Your Profile</h1>
      <p className="mt-1 mb-6 text-base text-ink-2">
        These details appear on your quotes and invoices. You can change them later in Settings.
      </p>
      {invitationNotice}
      <Card className="p-5 sm:p-6">
        <QueryView query={me} skeleton={<OnboardingSkeleton />} formatError={() => "Your profile couldn't be loaded."}>
          {(data) => <OnboardingForm me={data} />}
        </QueryView>
      </Card>
      <p className="mt-4 flex flex-wrap items-center justify-center gap-x-1 text-base text-ink-2">
        {me.data && <>Signed in as {me.data.user.email}.</>}
        <Button tone="quiet" onClick={onSignOut}>
          Sign Out
        </Button>
        {isSystemAdmin && (
          <LinkButton to="/admin" tone="quiet">
            System Administration
          </LinkButton>
        )}
      </p>
    </main>
  );
}

/** Returns true if there is nothing to set up. Members who can't edit the company never onboard, because a company admin does. */
function isOnboardingDone(profile: Profile | null): boolean {
  return profile !== null && (profile.onboarding_completed || !hasCapability(profile.role, 'company.edit'));
}

const SKELETON_FIELDS = ['company_name', 'name', 'phone', 'currency', 'gst_number', 'gst_percentage', 'paypal_email'];

function OnboardingSkeleton() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2 lg:gap-5">
      <span className="sr-only">Loading...</span>
      {SKELETON_FIELDS.map((field) => (
        <div key={field} className="last:sm:col-span-2">
          <Skeleton className="mb-2 h-4 w-28" />
          <Skeleton className="h-11 lg:h-9" />
        </div>
      ))}
    </div>
  );
}
