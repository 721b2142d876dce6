import { escapeHtml } from '@callout/domain/documents/html';
import { PRODUCT_NAME } from '@callout/domain/product/product';

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** True if the email contains a link that grants access. The email's text is then deleted after it has been sent. */
  readonly hasSecretLink?: boolean;
  readonly replyTo?: MailAddress;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
  /** True if the company is also shown as the sender, as in 'Tane Plumbing via Callout'. Only for companies that the recipient knows. */
  readonly isSender?: boolean;
}

/** A table row with a label and an amount or text. */
export interface MailRow {
  readonly label: string;
  /** Shown below the label in smaller type. */
  readonly note?: string | null;
  readonly amount: string;
  /** True if the amount column contains text that may wrap, such as the name of a bank. */
  readonly isText?: boolean;
  readonly strong?: boolean;
}

/** A table with a heading and rows of amounts. */
export interface MailTable {
  readonly title: string;
  readonly note?: string | null;
  readonly rows: readonly MailRow[];
}

export interface MailContent extends Pick<Mail, 'hasSecretLink' | 'replyTo'> {
  readonly recipient: string;
  readonly subject: string;
  /** Plain-text paragraphs above the action button, with their line breaks preserved. */
  readonly intro: readonly string[];
  readonly action: { readonly label: string; readonly url: string };
  /** Shown below the action button. */
  readonly tables?: readonly MailTable[];
  readonly closing: readonly string[];
  /** Shown above the text, in HTML only. */
  readonly logoUrl?: string | null;
}

/** Renders an email with one action button, as plain text and as HTML that works in every mail client. */
export function renderMail(content: MailContent): Mail {
  const { action, hasSecretLink = false, replyTo, logoUrl, tables = [] } = content;
  return {
    recipient: content.recipient,
    subject: content.subject,
    hasSecretLink,
    ...(replyTo && { replyTo }),
    text: [...content.intro, `${action.label}: ${action.url}`, ...tables.map(formatTable), ...content.closing, PRODUCT_NAME].join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"></head><body style="margin:0;padding:24px;background:#f5f6f7;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
${logoUrl ? renderLogo(logoUrl) : ''}${content.intro.map(renderParagraph).join('\n')}
<p style="margin:0 0 24px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${[...tables.map(renderTable), ...content.closing.map(renderParagraph)].join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#6b7280">${escapeHtml(PRODUCT_NAME)}</p>
</div></body></html>`,
  };
}

/** Renders a small logo that can't pass for the message. It has no alt text, because the email's text names the company. */
const renderLogo = (url: string) =>
  `<p style="margin:0 0 24px"><img src="${escapeHtml(url)}" alt="" style="display:block;max-width:200px;max-height:56px;border:0"></p>\n`;

const renderParagraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2937;overflow-wrap:anywhere">${renderLines(text)}</p>`;

function formatTable({ title, note, rows }: MailTable): string {
  return [title, ...(note ? [note] : []), ...rows.map((row) => `  ${row.label}${row.note ? ` (${row.note})` : ''}: ${row.amount}`)].join(
    '\n',
  );
}

/** Renders a table in which labels may wrap but amounts never do. */
function renderTable({ title, note, rows }: MailTable): string {
  return `<p style="margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600;color:#111827;overflow-wrap:anywhere">${escapeHtml(title)}</p>
${note ? `<p style="margin:0 0 4px;font-size:14px;line-height:20px;color:#6b7280;overflow-wrap:anywhere">${renderLines(note)}</p>\n` : ''}<table style="width:100%;margin:0 0 20px;border-collapse:collapse;font-size:14px;line-height:20px;color:#1f2937">
${rows.map(renderRow).join('\n')}
</table>`;
}

function renderRow({ label, note, amount, isText = false, strong = false }: MailRow): string {
  const weight = strong ? 'font-weight:600;' : '';
  const small = note ? `<br><span style="font-size:13px;color:#6b7280">${escapeHtml(note)}</span>` : '';
  const labelWrap = isText ? '' : ';overflow-wrap:anywhere';
  const amountWrap = isText ? 'overflow-wrap:anywhere' : 'white-space:nowrap';
  return `<tr><td style="${weight}padding:6px 12px 6px 0;border-top:1px solid #e5e7eb;vertical-align:top${labelWrap}">${escapeHtml(label)}${small}</td><td style="${weight}padding:6px 0;border-top:1px solid #e5e7eb;text-align:right;vertical-align:top;${amountWrap}">${escapeHtml(amount)}</td></tr>`;
}

const renderLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');
