import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type Mail, renderMail } from '../../platform/mail/mail-layout.ts';

const EMAIL_CHANGED_SUBJECT = `Your ${PRODUCT_NAME} email address was changed`;

export function buildEmailConfirmationMail(recipient: string, url: string): Mail {
  return renderMail({
    recipient,
    hasSecretLink: true,
    subject: `Confirm your email for ${PRODUCT_NAME}`,
    intro: [`Please confirm that you want to use ${recipient} with ${PRODUCT_NAME}.`],
    action: { label: 'Confirm this email address', url },
    closing: [
      "If you aren't signed in, you'll be asked to sign in first. This link can be used once and expires in one day. If you didn't request this, you can ignore this email.",
    ],
  });
}

/** Builds the email to the old address, so that its owner notices a change made by someone else. */
export function buildEmailChangedMail(recipient: string, newEmail: string, undoUrl: string): Mail {
  return renderMail({
    recipient,
    hasSecretLink: true,
    subject: EMAIL_CHANGED_SUBJECT,
    intro: [
      `You now sign in to ${PRODUCT_NAME} with ${newEmail} instead of ${recipient}.`,
      "If this wasn't you, undo the change. You'll set a new password, and we'll restore your old email address and sign out all devices.",
    ],
    action: { label: 'Undo this change', url: undoUrl },
    closing: ['This link can be used once and expires in 7 days. If you made this change, you can ignore this email.'],
  });
}

/** Builds the email to an unconfirmed old address, which may be a stranger's. Contains neither the new address nor an undo link. */
export function buildUnconfirmedEmailChangedMail(recipient: string, appUrl: string): Mail {
  return renderMail({
    recipient,
    subject: EMAIL_CHANGED_SUBJECT,
    intro: [`The ${PRODUCT_NAME} account created with ${recipient} now uses a different email address.`],
    action: { label: `Open ${PRODUCT_NAME}`, url: appUrl },
    closing: ["If this is your account and you didn't change its email address, contact your company's admin right away."],
  });
}

/** Builds the email to the address that an undo removed, to alert its owner if someone else used the old mailbox to undo the change. */
export function buildEmailRestoredMail(recipient: string, restoredEmail: string, appUrl: string): Mail {
  return renderMail({
    recipient,
    subject: `Your ${PRODUCT_NAME} email address was changed back`,
    intro: [
      `Your email address was changed back from ${recipient} to ${restoredEmail}, using the link we emailed to ${restoredEmail}. From now on, sign in with ${restoredEmail}.`,
    ],
    action: { label: `Open ${PRODUCT_NAME}`, url: appUrl },
    closing: ["If this wasn't you, contact your company's admin right away."],
  });
}
