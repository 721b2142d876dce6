import { FormSection } from '../../ui/form-section.tsx';
import { ChangePasswordForm } from '../auth/change-password-form.tsx';
import { UpdateEmailForm } from '../auth/update-email-form.tsx';
import { useMe } from './company.api.ts';

/** The person's own sign-in, whatever their role. */
export function ProfileSettings() {
  const { user } = useMe();
  return (
    <div className="space-y-6">
      <FormSection title="Update Email" description={`You sign in with ${user.email}.`}>
        <div className="sm:col-span-2">
          <UpdateEmailForm />
        </div>
      </FormSection>
      <FormSection title="Change Password" description="Whoever else is signed in as you, on any device, is signed out.">
        <div className="sm:col-span-2">
          <ChangePasswordForm email={user.email} />
        </div>
      </FormSection>
    </div>
  );
}
