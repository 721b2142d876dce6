import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth.api.ts';
import { AuthFrame } from './auth-frame.tsx';

/** Asking again would bring the same answer; anything else may have been the line. */
function isFinal(error: unknown): boolean {
  return hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'EMAIL_TAKEN') || hasCode(error, 'INVALID_INPUT');
}

interface ConfirmEmailPageProps {
  token: string;
  signedIn: boolean;
}

/** Where the link mailed to a new address leads. A press confirms, since programs that look through mail open links too. */
export function ConfirmEmailPage({ token, signedIn }: ConfirmEmailPageProps) {
  const queryClient = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => confirmEmailChange(token),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['me'] }),
    onError: (failure) => {
      if (!isFinal(failure)) reportFailure(failure, `Failed to update email: ${messageOf(failure)}`);
    },
  });
  const dead = token === '' ? 'This link is not complete.' : isFinal(error) ? messageOf(error) : undefined;
  return (
    <AuthFrame title={data ? 'Your email is confirmed' : 'Confirm your email'}>
      <div className="space-y-4">
        {dead ? (
          <Banner tone="danger">{dead}</Banner>
        ) : (
          <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
            {data
              ? `Your email address is now ${data.email}. From now on you sign in with it.`
              : 'From now on you sign in with the address this link was mailed to.'}
          </p>
        )}
        {data || dead ? (
          <LinkButton to={signedIn ? '/settings' : '/auth'} tone={data ? 'primary' : 'secondary'} wide>
            {signedIn ? 'Back to settings' : 'Sign in'}
          </LinkButton>
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
