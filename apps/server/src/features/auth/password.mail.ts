import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type Mail, renderMail } from '../../platform/mail/mail-layout.ts';

const LINK_VALIDITY = 'This link can be used once and expires in one hour.';

export function buildPasswordResetMail(recipient: string, url: string): Mail {
  return renderMail({
    recipient,
    hasSecretLink: true,
    subject: `Reset your ${PRODUCT_NAME} password`,
    intro: [`We received a request to reset the password for ${recipient}.`],
    action: { label: 'Reset your password', url },
    closing: [`${LINK_VALIDITY} If you didn't request this, you can ignore this email.`],
  });
}

/** Builds the email that ADMIN_EMAIL gets instead of the usual reset email, because this password gives access to the whole server. */
export function buildAdministratorPasswordMail(recipient: string, url: string): Mail {
  return renderMail({
    recipient,
    hasSecretLink: true,
    subject: `Set your ${PRODUCT_NAME} administrator password`,
    intro: [
      `${recipient} is the administrator account of this ${PRODUCT_NAME} server. To prove that it's yours, set a password. Everyone currently signed in to it will be signed out.`,
      'Then sign in with your new password to administer the server.',
    ],
    action: { label: 'Set the administrator password', url },
    closing: [
      `${LINK_VALIDITY} To get a new one, use “Forgot your password?” on the sign-in page. Until you set a password, no one can administer the server.`,
    ],
  });
}

/** Builds an email that alerts the account's owner in case someone else changed the password. */
export function buildPasswordChangedMail(recipient: string, appUrl: string, { hadFeed }: { readonly hadFeed: boolean }): Mail {
  return renderMail({
    recipient,
    subject: `Your ${PRODUCT_NAME} password was changed`,
    intro: [
      `The password for ${recipient} was just changed. All other devices were signed out.`,
      ...(hadFeed ? ['Your calendar link no longer works. To use it again, turn on a new one on the Calendar page.'] : []),
      "If this wasn't you, reset your password now.",
    ],
    action: { label: 'Reset your password', url: `${appUrl}/auth?mode=reset-password` },
    closing: ['If this was you, you can ignore this email.'],
  });
}
