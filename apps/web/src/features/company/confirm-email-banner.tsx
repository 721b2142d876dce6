import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQueryOptions, useMe } from './company.api.ts';

interface ConfirmEmailBannerProps {
  blockedAction: 'invite people' | 'send quotes' | 'send invoices';
  className?: string;
}

/** Asks users to confirm their email address before they send emails. Disappears once they confirm it, even in another tab. */
export function ConfirmEmailBanner({ blockedAction, className = '' }: ConfirmEmailBannerProps) {
  const { user, must_confirm_email: mustConfirm } = useMe();
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: requestEmailConfirmation,
    onError: (error) => {
      if (hasErrorCode(error, 'ALREADY_DONE')) void queryClient.invalidateQueries(meQueryOptions);
    },
    meta: {
      failure: (error) =>
        hasErrorCode(error, 'ALREADY_DONE') ? undefined : `Failed to send the confirmation email: ${getErrorMessage(error)}`,
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
        : `Please confirm your email address before you ${blockedAction}.`}
    </Banner>
  );
}
