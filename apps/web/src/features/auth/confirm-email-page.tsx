import { useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { confirmEmailChange } from './auth.api.ts';

/** Where the link mailed to a new address leads. A press confirms, since programs that look through mail open links too. */
export function ConfirmEmailPage({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [confirmed, setConfirmed] = useState<string>();
  const [refused, setRefused] = useState(token === '' ? 'This link is not complete.' : undefined);

  const confirm = async () => {
    setBusy(true);
    try {
      const { email } = await confirmEmailChange(token);
      setConfirmed(email);
      void queryClient.invalidateQueries({ queryKey: ['me'] });
    } catch (error) {
      if (hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'EMAIL_TAKEN') || hasCode(error, 'INVALID_INPUT')) setRefused(messageOf(error));
      else reportFailure(error, `Failed to update email: ${messageOf(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col items-center justify-center px-4 py-8">
      <img src="/icon.svg" alt="" width={48} height={48} className="mb-4" />
      <h1 className="mb-6 text-center text-2xl font-semibold tracking-tight">
        {confirmed ? 'Your email has changed' : 'Confirm your new email'}
      </h1>
      <Card className="w-full space-y-4 p-5 sm:p-6">
        {refused && <Banner tone="danger">{refused}</Banner>}
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
          {confirmed ? `From now on you sign in with ${confirmed}.` : 'From now on you sign in with the address this link was mailed to.'}
        </p>
        {confirmed || refused ? (
          <LinkButton to="/dashboard" tone={confirmed ? 'primary' : 'secondary'} wide>
            Continue
          </LinkButton>
        ) : (
          <Button tone="primary" wide busy={busy} onClick={() => void confirm()}>
            {!busy && <MailCheck aria-hidden="true" />}
            {busy ? 'Confirming…' : 'Confirm Email'}
          </Button>
        )}
      </Card>
    </main>
  );
}
