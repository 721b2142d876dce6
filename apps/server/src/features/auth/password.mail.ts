import { PRODUCT_NAME } from '@callout/domain/product/product';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

const ONE_HOUR = 'This link can be used once and expires in one hour.';

export function passwordResetEmail(recipient: string, url: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: `Set a new password for ${PRODUCT_NAME}`,
    before: [`Someone (hopefully you) asked to set a new password for ${recipient}.`],
    action: { label: 'Set a new password', url },
    after: [`${ONE_HOUR} If you didn't ask for it, you can ignore this email.`],
  });
}

/** Sent to ADMIN_EMAIL: the same link, but it gives access to the whole server. */
export function administratorPasswordEmail(recipient: string, url: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: `Set your administrator password for ${PRODUCT_NAME}`,
    before: [
      `${recipient} administers this ${PRODUCT_NAME} server. To prove that the account is yours, set its password. Anyone who is signed in to it now will be signed out.`,
      'Then sign in with the new password to open the administration.',
    ],
    action: { label: 'Set the administrator password', url },
    after: [
      `${ONE_HOUR} To get a new one, use “Forgot your password?” on the sign-in page. Until you set a password, nobody can administer the server.`,
    ],
  });
}

/** So that no password is changed unnoticed. */
export function passwordChangedEmail(recipient: string, appUrl: string): Mail {
  return layOutMail({
    recipient,
    subject: `Your password for ${PRODUCT_NAME} was changed`,
    before: [
      `The password for ${recipient} was just changed. All other devices were signed out.`,
      "If this wasn't you, set a new one now.",
    ],
    action: { label: 'Reset your password', url: `${appUrl}/auth?mode=reset-password` },
    after: ['If you changed it, you can ignore this email.'],
  });
}
