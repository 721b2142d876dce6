import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth-account.api.ts';
import { AuthFrame } from './auth-frame.tsx';

/** A retry would fail the same way; other errors may be the connection's. */
function isFinal(error: unknown): boolean {
  return hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'EMAIL_TAKEN') || hasCode(error, 'INVALID_INPUT');
}

interface ConfirmEmailPageProps {
  token: string;
  /** The email of the person signed in in this browser. */
  signedInAs: string | undefined;
  isSystemAdmin: boolean;
  /** What somebody without a company does next. */
  withoutCompany: ReactNode | undefined;
  /** Signs out, then returns to this link after the next sign-in. */
  onSwitchAccount: () => Promise<void>;
}

/** Opened by the link mailed to a new email. It works for the account that requested it, so its owner signs in first. */
export function ConfirmEmailPage(props: ConfirmEmailPageProps) {
  const { token, signedInAs } = props;
  if (token !== '' && signedInAs === undefined) {
    return (
      <AuthFrame title="Confirm your email">
        <div className="space-y-4">
          <p className="text-base text-ink-2">Sign in with your current email first. Then you can confirm the new one here.</p>
          <LinkButton to="/auth" search={{ next: `/confirm-email?token=${token}` }} tone="primary" wide>
            Sign in
          </LinkButton>
        </div>
      </AuthFrame>
    );
  }
  // Another link in the same tab starts anew, with the email of now.
  return <ConfirmEmail key={token} {...props} />;
}

/** Confirms on click rather than on load: mail scanners open links too. */
function ConfirmEmail({ token, signedInAs: email, isSystemAdmin, withoutCompany, onSwitchAccount }: ConfirmEmailPageProps) {
  // The email before the change: after it, the signed-in person has the new one.
  const [signedInAs] = useState(email);
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => confirmEmailChange(token),
    // Only a confirmed email shows who has invited it.
    onSuccess: () => Promise.all([['me'], ['my-invitations']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    onError: (failure) => {
      if (!isFinal(failure)) reportFailure(failure, `Failed to update email: ${messageOf(failure)}`);
    },
  });
  const linkError = token === '' ? 'This link is incomplete.' : isFinal(error) ? messageOf(error) : undefined;
  return (
    <AuthFrame title={data ? 'Your email is confirmed' : 'Confirm your email'}>
      <div className="space-y-4">
        {linkError && <Banner tone="danger">{linkError}</Banner>}
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{explain(data?.email, linkError !== undefined, signedInAs)}</p>
        {error && linkError && signedInAs && <SwitchAccount onSwitchAccount={onSwitchAccount} />}
        {data || linkError ? (
          <NextPage isSystemAdmin={isSystemAdmin} withoutCompany={data && withoutCompany} tone={data ? 'primary' : 'secondary'} />
        ) : (
          <Button tone="primary" wide busy={isPending} onClick={() => mutate()}>
            {!isPending && <MailCheck aria-hidden="true" />}
            {isPending ? 'Confirming…' : 'Confirm Email'}
          </Button>
        )}
      </div>
    </AuthFrame>
  );
}

function SwitchAccount({ onSwitchAccount }: Pick<ConfirmEmailPageProps, 'onSwitchAccount'>) {
  const { mutate, isPending } = useMutation({ mutationFn: onSwitchAccount });
  return (
    <Button tone="primary" wide busy={isPending} onClick={() => mutate()}>
      Sign out and use another account
    </Button>
  );
}

interface NextPageProps extends Pick<ConfirmEmailPageProps, 'isSystemAdmin' | 'withoutCompany'> {
  tone: 'primary' | 'secondary';
}

/** The system administrator may have no company, and then has no settings page. */
function NextPage({ isSystemAdmin, withoutCompany, tone }: NextPageProps) {
  if (!isSystemAdmin && withoutCompany !== undefined) return withoutCompany;
  return isSystemAdmin ? (
    <LinkButton to="/admin" tone={tone} wide>
      Open System Administration
    </LinkButton>
  ) : (
    <LinkButton to="/settings" search={{ tab: 'profile' }} tone={tone} wide>
      Back to settings
    </LinkButton>
  );
}

function explain(confirmed: string | undefined, hasLinkError: boolean, signedInAs: string | undefined): string {
  if (confirmed && confirmed === signedInAs) return `${confirmed} is confirmed.`;
  if (confirmed) return `You now sign in with ${confirmed}. Your other devices were signed out.`;
  if (hasLinkError) return signedInAs ? `You're signed in as ${signedInAs}. A link works only for the account that requested it.` : '';
  return "Confirm this email address. If you're changing your email, you'll sign in with it from now on, and your other devices will be signed out.";
}
