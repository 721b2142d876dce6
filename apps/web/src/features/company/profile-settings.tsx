import type { ReactNode } from 'react';
import { FormSection } from '../../ui/card.tsx';
import { ChangePasswordForm } from '../auth/change-password-form.tsx';
import { SignedInDevices } from '../auth/signed-in-devices.tsx';
import { UpdateEmailForm } from '../auth/update-email-form.tsx';
import { useMe } from './company.api.ts';

export function ProfileSettings({ details, leave }: { details?: ReactNode; leave?: ReactNode }) {
  const { user, sends_mail: sendsMail } = useMe();
  return (
    <div className="space-y-6">
      {details}
      <FormSection title="Update Email" description={`You sign in with ${user.email}.`}>
        <div className="sm:col-span-6">
          <UpdateEmailForm email={user.email} pendingEmail={user.pending_email} isMailDisabled={!sendsMail} />
        </div>
      </FormSection>
      <FormSection title="Change Password" description="You'll be signed out on all other devices.">
        <div className="sm:col-span-6">
          <ChangePasswordForm email={user.email} />
        </div>
      </FormSection>
      <FormSection title="Signed-in devices" description="Sign out any device you don't recognize or no longer use.">
        <div className="sm:col-span-6">
          <SignedInDevices />
        </div>
      </FormSection>
      {leave}
    </div>
  );
}
