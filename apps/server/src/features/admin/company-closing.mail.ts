import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type Mail, renderMail } from '../../platform/mail/mail-layout.ts';
import { nullIfUrl } from '../documents/document.mail.ts';

export interface CompanyDeletionMailContent {
  readonly recipient: string;
  readonly company_name: string | null;
  /** The email address of the admin who deleted the company or undid the deletion. */
  readonly actor: string;
  readonly appUrl: string;
}

export function buildCompanyClosedMail({
  recipient,
  company_name,
  actor,
  appUrl,
  day,
}: CompanyDeletionMailContent & { day: string }): Mail {
  const company = nullIfUrl(company_name) ?? 'Your company';
  return renderMail({
    recipient,
    subject: `${company} will be deleted from ${PRODUCT_NAME} on ${day}`,
    intro: [
      `${actor} has deleted ${company}. It is closed now, and no one can work in it.`,
      `On ${day}, all its customers, quotes, jobs, invoices and files will be deleted for good, together with everyone's logins.`,
    ],
    action: { label: 'Undo the deletion', url: `${appUrl}/dashboard` },
    closing: [
      `Until then, any admin can sign in and undo the deletion. If you want ${company} to be deleted, you don't need to do anything.`,
    ],
  });
}

export function buildCompanyReopenedMail({ recipient, company_name, actor, appUrl }: CompanyDeletionMailContent): Mail {
  const company = nullIfUrl(company_name) ?? 'Your company';
  return renderMail({
    recipient,
    subject: `${company} will not be deleted`,
    intro: [`${actor} has undone the deletion of ${company}. It is open again, and nothing was lost.`],
    action: { label: `Open ${PRODUCT_NAME}`, url: appUrl },
    closing: ['All links that your customers have work again.'],
  });
}
