import { PRODUCT_NAME } from '@callout/domain/product/product';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

export function confirmEmailMail(recipient: string, url: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: `Confirm your email address for ${PRODUCT_NAME}`,
    before: [`Somebody, most likely you, wants to sign in to ${PRODUCT_NAME} with ${recipient}.`],
    action: { label: 'Confirm this address', url },
    after: ['The link works once and for one day. If you did not ask for it, ignore this mail: nothing changes.'],
  });
}

/** To the old address, so that nobody's login is moved away in silence. */
export function emailChangedMail(recipient: string, newEmail: string, url: string): Mail {
  return layOutMail({
    recipient,
    subject: `Your email address for ${PRODUCT_NAME} was changed`,
    before: [`From now on you sign in to ${PRODUCT_NAME} with ${newEmail} instead of ${recipient}.`],
    action: { label: `Open ${PRODUCT_NAME}`, url },
    after: ['If this was not you, tell the admin of your company at once.'],
  });
}
