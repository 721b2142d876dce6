import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth-account.api.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Returns true if a retry would fail the same way; other errors may be temporary. */
function isPermanentFailure(error: unknown): boolean {
  return hasErrorCode(error, 'LINK_EXPIRED') || hasErrorCode(error, 'EMAIL_TAKEN') || hasErrorCode(error, 'INVALID_INPUT');
}

interface ConfirmEmailPageProps {
  token: string;
  /** Email address of the account that is signed in on this browser. */
  signedInEmail: string | undefined;
  isSystemAdmin: boolean;
  /** The next step to offer a user who belongs to no company. */
  noCompanyAction: ReactNode | undefined;
  /** Signs out, then returns to this link after the next sign-in. */
  onSwitchAccount: () => Promise<void>;
}

/** Opened by the link sent to a new email address. The link works only for the account that requested it, so sign-in comes first. */
export function ConfirmEmailPage(props: ConfirmEmailPageProps) {
  const { token, signedInEmail } = props;
  if (token !== '' && signedInEmail === undefined) {
    return (
      <AuthLayout title="Confirm your email">
        <div className="space-y-4">
          <p className="text-base text-ink-2">Sign in with your current email first. Then you can confirm the new one here.</p>
          <LinkButton to="/auth" search={{ next: `/confirm-email?token=${token}` }} tone="primary" fullWidth>
            Sign in
          </LinkButton>
        </div>
      </AuthLayout>
    );
  }
  // The key resets the form when another link opens in the same tab.
  return <ConfirmEmailForm key={token} {...props} />;
}

/** Confirms on click rather than on load, because mail scanners open links too. */
function ConfirmEmailForm({ token, signedInEmail: currentEmail, isSystemAdmin, noCompanyAction, onSwitchAccount }: ConfirmEmailPageProps) {
  // Keeps the old email address, because the prop changes to the new one after confirmation.
  const [signedInEmail] = useState(currentEmail);
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => confirmEmailChange(token),
    // Invitations become visible once the email address is confirmed, so they are refetched too.
    onSuccess: () => Promise.all([['me'], ['my-invitations']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    onError: (failure) => {
      if (!isPermanentFailure(failure)) reportFailure(failure, `Failed to update email: ${getErrorMessage(failure)}`);
    },
  });
  const linkError = token === '' ? 'This link is incomplete.' : isPermanentFailure(error) ? getErrorMessage(error) : undefined;
  return (
    <AuthLayout title={data ? 'Your email is confirmed' : 'Confirm your email'}>
      <div className="space-y-4">
        {linkError && <Banner tone="danger">{linkError}</Banner>}
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
          {getExplanation(data?.email, linkError !== undefined, signedInEmail)}
        </p>
        {error && linkError && signedInEmail && <SwitchAccountButton onSwitchAccount={onSwitchAccount} />}
        {data || linkError ? (
          <NextPageLink isSystemAdmin={isSystemAdmin} noCompanyAction={data && noCompanyAction} tone={data ? 'primary' : 'secondary'} />
        ) : (
          <Button tone="primary" fullWidth busy={isPending} onClick={() => mutate()}>
            {!isPending && <MailCheck aria-hidden="true" />}
            {isPending ? 'Confirming…' : 'Confirm Email'}
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}

function SwitchAccountButton({ onSwitchAccount }: Pick<ConfirmEmailPageProps, 'onSwitchAccount'>) {
  const { mutate, isPending } = useMutation({ mutationFn: onSwitchAccount });
  return (
    <Button tone="primary" fullWidth busy={isPending} onClick={() => mutate()}>
      Sign out and use another account
    </Button>
  );
}

interface NextPageLinkProps extends Pick<ConfirmEmailPageProps, 'isSystemAdmin' | 'noCompanyAction'> {
  tone: 'primary' | 'secondary';
}

/** Links system administrators to /admin, because they may belong to no company and then have no settings page. */
function NextPageLink({ isSystemAdmin, noCompanyAction, tone }: NextPageLinkProps) {
  if (!isSystemAdmin && noCompanyAction !== undefined) return noCompanyAction;
  return isSystemAdmin ? (
    <LinkButton to="/admin" tone={tone} fullWidth>
      Open System Administration
    </LinkButton>
  ) : (
    <LinkButton to="/settings" search={{ tab: 'profile' }} tone={tone} fullWidth>
      Back to settings
    </LinkButton>
  );
}

function getExplanation(confirmed: string | undefined, hasLinkError: boolean, email: string | undefined): string {
  if (confirmed && confirmed === email) return `${confirmed} is confirmed.`;
  if (confirmed) return `You now sign in with ${confirmed}. Your other devices were signed out.`;
  if (hasLinkError) return email ? `You're signed in as ${email}. A link works only for the account that requested it.` : '';
  return "Confirm this email address. If you're changing your email, you'll sign in with it from now on, and your other devices will be signed out.";
}
