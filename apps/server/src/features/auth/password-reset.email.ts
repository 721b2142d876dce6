import { PRODUCT_NAME } from '@callout/domain/product/product';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

export function passwordResetEmail(recipient: string, url: string): Mail {
  return layOutMail({
    recipient,
    secret: true,
    subject: `Set a new password for ${PRODUCT_NAME}`,
    before: [`Somebody, most likely you, asked to set a new password for ${recipient}.`],
    action: { label: 'Set a new password', url },
    after: ['The link works once and for one hour. If you did not ask for it, ignore this mail: nothing changes.'],
  });
}
