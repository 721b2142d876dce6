import { PRODUCT_NAME } from '@callout/domain/product/product';

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Its link grants access, so the text is deleted once it is sent. */
  readonly secret?: boolean;
  /** Who receives replies. */
  readonly replyTo?: MailAddress;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailContent extends Pick<Mail, 'secret' | 'replyTo'> {
  readonly recipient: string;
  readonly subject: string;
  /** Plain sentences, a paragraph each. */
  readonly before: readonly string[];
  readonly action: { readonly label: string; readonly url: string };
  readonly after: readonly string[];
  /** Shown above the text, in HTML only. */
  readonly logoUrl?: string | null;
}

/** A mail with one action, as plain text and as HTML that works in every mail client. */
export function layOutMail(content: MailContent): Mail {
  const { action, secret = false, replyTo, logoUrl } = content;
  const paragraph = (text: string) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2937">${escapeHtml(text)}</p>`;
  return {
    recipient: content.recipient,
    subject: content.subject,
    secret,
    ...(replyTo && { replyTo }),
    text: [...content.before, `${action.label}: ${action.url}`, ...content.after, PRODUCT_NAME].join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"></head><body style="margin:0;padding:24px;background:#f5f6f7;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
${logoUrl ? logo(logoUrl) : ''}${content.before.map(paragraph).join('\n')}
<p style="margin:0 0 24px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${content.after.map(paragraph).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#6b7280">${escapeHtml(PRODUCT_NAME)}</p>
</div></body></html>`,
  };
}

/** Small, so that it can't pass for the message. Without alternative text, since the sentences name the company. */
const logo = (url: string) =>
  `<p style="margin:0 0 24px"><img src="${escapeHtml(url)}" alt="" style="display:block;max-width:200px;max-height:56px;border:0"></p>\n`;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
