import { createFileRoute, isRedirect, redirect } from '@tanstack/react-router';
import { OnboardingPage } from '../../features/company/onboarding-page.tsx';
import { InvitationOffer } from '../../features/staff/invitation-offer.tsx';
import { requireSignedIn } from '../guard.ts';
import { signOutEverywhere } from '../session.ts';
import { Loading } from '../status-pages.tsx';

export const Route = createFileRoute('/onboarding')({
  staticData: { title: 'Complete Your Profile', focusesField: true },
  beforeLoad: async ({ context, location }) => {
    try {
      const me = await requireSignedIn(context.queryClient, location.href, { retry: false });
      if (me.profile?.onboarding_completed) throw redirect({ to: '/dashboard', replace: true });
    } catch (error) {
      // The page itself shows any other failure, with Retry.
      if (isRedirect(error)) throw error;
    }
  },
  pendingMs: 0,
  pendingComponent: Loading,
  component: () => <OnboardingPage onSignOut={() => void signOutEverywhere()} invitation={<InvitationOffer />} />,
});
