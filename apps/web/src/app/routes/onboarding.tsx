import { createFileRoute, isRedirect, redirect } from '@tanstack/react-router';
import { OnboardingPage } from '../../features/company/onboarding-page.tsx';
import { InvitationOffers } from '../../features/staff/invitation-offers.tsx';
import { requireSignedIn } from '../auth-guard.ts';
import { signOutAllTabs } from '../session.ts';
import { LoadingPage } from '../status-pages.tsx';

export const Route = createFileRoute('/onboarding')({
  staticData: { title: 'Complete Your Profile', focusesFirstField: true },
  beforeLoad: async ({ context, location }) => {
    try {
      const me = await requireSignedIn(context.queryClient, location.href, { retry: false });
      if (me.profile?.onboarding_completed) throw redirect({ to: '/dashboard', replace: true });
    } catch (error) {
      // The page shows any other error itself, with a Retry button.
      if (isRedirect(error)) throw error;
    }
  },
  pendingMs: 0,
  pendingComponent: LoadingPage,
  component: () => <OnboardingPage onSignOut={() => void signOutAllTabs()} invitationNotice={<InvitationOffers />} />,
});
