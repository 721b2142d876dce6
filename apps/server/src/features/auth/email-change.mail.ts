import { PRODUCT_NAME } from '@callout/domain/product/product';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

const EMAIL_CHANGED = `Your email address for ${PRODUCT_NAME} was changed`;

export function confirmEmailMail(recipient: string, url: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: `Confirm your email address for ${PRODUCT_NAME}`,
    before: [`Someone (hopefully you) wants to sign in to ${PRODUCT_NAME} with ${recipient}.`],
    action: { label: 'Confirm this email', url },
    after: [
      "If you aren't signed in, you'll be asked to sign in first. This link can be used once and expires in one day. If you didn't ask for it, you can ignore this email.",
    ],
  });
}

/** Sent to the old email, so that nobody's login is changed unnoticed. */
export function emailChangedMail(recipient: string, newEmail: string, undoUrl: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: EMAIL_CHANGED,
    before: [
      `You now sign in to ${PRODUCT_NAME} with ${newEmail} instead of ${recipient}.`,
      "If this wasn't you, undo the change. You'll set a new password, your old email is restored, and all devices are signed out.",
    ],
    action: { label: 'Undo this change', url: undoUrl },
    after: ['This link can be used once and expires in 7 days. If you made this change, you can ignore this email.'],
  });
}

/** Sent to an old email that was never confirmed. It may be a stranger's, so it contains neither the new email nor an undo link. */
export function unconfirmedEmailChangedMail(recipient: string, appUrl: string): Mail {
  return layOutMail({
    recipient,
    subject: EMAIL_CHANGED,
    before: [`The ${PRODUCT_NAME} account that was signed up with ${recipient} now uses a different email.`],
    action: { label: `Open ${PRODUCT_NAME}`, url: appUrl },
    after: ["If this was your account and you didn't change it, tell the admin of your company right away."],
  });
}

/** Sent to the email that was removed by the undo, in case the old mailbox is in the wrong hands. */
export function emailRestoredMail(recipient: string, restoredEmail: string, appUrl: string): Mail {
  return layOutMail({
    recipient,
    subject: `Your email address for ${PRODUCT_NAME} was changed back`,
    before: [
      `The change of your email to ${recipient} was undone, using the link we emailed to ${restoredEmail}. Sign in with ${restoredEmail} from now on.`,
    ],
    action: { label: `Open ${PRODUCT_NAME}`, url: appUrl },
    after: ["If this wasn't you, tell the admin of your company right away."],
  });
}
