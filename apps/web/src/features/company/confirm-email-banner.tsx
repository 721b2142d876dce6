import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQuery, useMe } from './company.api.ts';

interface ConfirmEmailBannerProps {
  /** What they cannot do until then. */
  before: 'invite people' | 'send quotes' | 'send invoices';
  className?: string;
}

/** For people who must confirm their email before they can mail anyone. Disappears once they open the mailed link, in any tab. */
export function ConfirmEmailBanner({ before, className = '' }: ConfirmEmailBannerProps) {
  const { user, must_confirm_email: mustConfirm } = useMe();
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: requestEmailConfirmation,
    onError: (error) => {
      if (hasCode(error, 'ALREADY_DONE')) void queryClient.invalidateQueries(meQuery);
    },
    meta: {
      failure: (error) => (hasCode(error, 'ALREADY_DONE') ? undefined : `Failed to send the confirmation email: ${messageOf(error)}`),
    },
  });
  if (!mustConfirm) return null;
  return (
    <Banner
      tone="warn"
      className={className}
      actions={
        <Button busy={request.isPending} onClick={() => request.mutate()}>
          Send confirmation email
        </Button>
      }
    >
      {request.isSuccess
        ? `We sent a link to ${user.email}. Open it to confirm your email, then come back here.`
        : `Please confirm your email address before you ${before}.`}
    </Banner>
  );
}
