import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth-account.api.ts';
import { AuthFrame } from './auth-frame.tsx';

/** Asking again would bring the same answer; anything else may have been the connection. */
function isFinal(error: unknown): boolean {
  return hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'EMAIL_TAKEN') || hasCode(error, 'INVALID_INPUT');
}

interface ConfirmEmailPageProps {
  token: string;
  /** The email of whoever is signed in in this browser. */
  signedInAs: string | undefined;
  isSystemAdmin: boolean;
  /** Signs out, then leads through sign-in back to this link. */
  onSwitchAccount: () => Promise<void>;
}

/** Where the link mailed to a new email leads. It is for the account that asked for it, so its owner signs in first. */
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
  return <ConfirmEmail {...props} />;
}

/** A press confirms, since programs that look through mail open links too. */
function ConfirmEmail({ token, signedInAs: email, isSystemAdmin, onSwitchAccount }: ConfirmEmailPageProps) {
  // As it was before: a new email is theirs a moment later.
  const [signedInAs] = useState(email);
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => confirmEmailChange(token),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['me'] }),
    onError: (failure) => {
      if (!isFinal(failure)) reportFailure(failure, `Failed to update email: ${messageOf(failure)}`);
    },
  });
  const dead = token === '' ? 'This link is incomplete.' : isFinal(error) ? messageOf(error) : undefined;
  return (
    <AuthFrame title={data ? 'Your email is confirmed' : 'Confirm your email'}>
      <div className="space-y-4">
        {dead && <Banner tone="danger">{dead}</Banner>}
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">{explain(data?.email, dead !== undefined, signedInAs)}</p>
        {error && dead && signedInAs && <SwitchAccount onSwitchAccount={onSwitchAccount} />}
        {data || dead ? (
          <NextPage isSystemAdmin={isSystemAdmin} tone={data ? 'primary' : 'secondary'} />
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

/** The administrator need not have a company, and without one there are no settings. */
function NextPage({ isSystemAdmin, tone }: { isSystemAdmin: boolean; tone: 'primary' | 'secondary' }) {
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

function explain(confirmed: string | undefined, isDead: boolean, signedInAs: string | undefined): string {
  if (confirmed && confirmed === signedInAs) return `${confirmed} is confirmed.`;
  if (confirmed) return `You now sign in with ${confirmed}. Your other devices were signed out.`;
  if (isDead) return signedInAs ? `You're signed in as ${signedInAs}. A link works only for the account that requested it.` : '';
  return "Confirm that the email this link was sent to is yours. If it's a new one, you'll sign in with it from now on, and your other devices will be signed out.";
}
