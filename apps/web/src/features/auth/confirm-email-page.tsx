import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth-account.api.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Returns true if confirming again would fail the same way, so a retry is pointless. */
function isPermanentFailure(error: unknown): boolean {
  return hasErrorCode(error, 'LINK_EXPIRED') || hasErrorCode(error, 'EMAIL_TAKEN') || hasErrorCode(error, 'INVALID_INPUT');
}

interface ConfirmEmailPageProps {
  token: string;
  /** Email address of the signed-in account; undefined if no one is signed in. */
  signedInEmail: string | undefined;
  isSystemAdmin: boolean;
  /** Next step for a user who belongs to no company, shown after confirmation. */
  noCompanyAction: ReactNode | undefined;
  /** Signs the user out. The next sign-in returns to this link. */
  onSwitchAccount: () => Promise<void>;
}

/** Opened by the link in an email to the new address. Only the account that requested the change can confirm, so sign-in comes first. */
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
  // A different link in the same tab is a new confirmation, so the key resets the form.
  return <ConfirmEmailForm key={token} {...props} />;
}

/** Confirms on click rather than on load, because mail scanners open every link in an email. */
function ConfirmEmailForm({ token, signedInEmail: currentEmail, isSystemAdmin, noCompanyAction, onSwitchAccount }: ConfirmEmailPageProps) {
  // Keeps the email address from before confirmation, because `currentEmail` changes once the new address is confirmed.
  const [signedInEmail] = useState(currentEmail);
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => confirmEmailChange(token),
    // Invitations sent to the new address become visible once it is confirmed, so refetch invitations too.
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

/** Links to the settings page. System administrators get a link to /admin, because without a company there is no settings page. */
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
