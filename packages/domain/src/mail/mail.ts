/** 'failed' has used all its attempts; 'kept' was not sent because no mail server is configured. */
export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'kept'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** The main link of a mail: the last one to our own URL, otherwise the last one. User-typed text such as names comes before it. */
export function mailLink(text: string, appUrl: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return links.findLast((link) => link === appUrl || link.startsWith(`${appUrl}/`)) ?? links.at(-1);
}
