/** 'failed' means that every retry failed; 'kept' means that the email wasn't sent because no mail server is configured. */
export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'kept'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** Returns the last link to this app or, without one, the last link. User input comes earlier in an email, so it can't fake the link. */
export function findMailLink(text: string, appUrl: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return links.findLast((link) => link === appUrl || link.startsWith(`${appUrl}/`)) ?? links.at(-1);
}
