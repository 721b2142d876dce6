import { createFileRoute, isRedirect, redirect } from '@tanstack/react-router';
import { OnboardingPage } from '../../features/company/onboarding-page.tsx';
import { InvitationOffers } from '../../features/staff/invitation-offers.tsx';
import { requireSignedIn } from '../auth-guard.ts';
import { LoadingPage } from '../fallback-pages.tsx';
import { signOutAllTabs } from '../session.ts';

export const Route = createFileRoute('/onboarding')({
  staticData: { title: 'Complete Your Profile', focusesFirstField: true },
  beforeLoad: async ({ context, location }) => {
    try {
      const me = await requireSignedIn(context.queryClient, location.href, { retry: false });
      if (me.profile?.onboarding_completed) throw redirect({ to: '/dashboard', replace: true });
    } catch (error) {
      // Any other error is shown on the page, with a Retry button.
      if (isRedirect(error)) throw error;
    }
  },
  pendingMs: 0,
  pendingComponent: LoadingPage,
  component: () => <OnboardingPage onSignOut={() => void signOutAllTabs()} invitationNotice={<InvitationOffers />} />,
});
