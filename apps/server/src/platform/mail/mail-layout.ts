import { escapeHtml } from '@callout/domain/documents/html';
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
  /** The mail is from them: 'Tane Plumbing via Callout'. Only for a company that is known to whoever gets it. */
  readonly isSender?: boolean;
}

/** A line of figures: what it is, and an amount or a text. */
export interface MailRow {
  readonly label: string;
  /** Below the label, in small. */
  readonly note?: string | null;
  readonly amount: string;
  /** The amount is a text, such as the name of a bank, and may break. */
  readonly isText?: boolean;
  readonly strong?: boolean;
}

/** A heading with lines of figures. */
export interface MailTable {
  readonly title: string;
  readonly note?: string | null;
  readonly rows: readonly MailRow[];
}

export interface MailContent extends Pick<Mail, 'secret' | 'replyTo'> {
  readonly recipient: string;
  readonly subject: string;
  /** Plain sentences, a paragraph each; they may have several lines. */
  readonly before: readonly string[];
  readonly action: { readonly label: string; readonly url: string };
  /** Below the action. */
  readonly tables?: readonly MailTable[];
  readonly after: readonly string[];
  /** Shown above the text, in HTML only. */
  readonly logoUrl?: string | null;
}

/** A mail with one action, as plain text and as HTML that works in every mail client. */
export function layOutMail(content: MailContent): Mail {
  const { action, secret = false, replyTo, logoUrl, tables = [] } = content;
  return {
    recipient: content.recipient,
    subject: content.subject,
    secret,
    ...(replyTo && { replyTo }),
    text: [...content.before, `${action.label}: ${action.url}`, ...tables.map(tableText), ...content.after, PRODUCT_NAME].join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"></head><body style="margin:0;padding:24px;background:#f5f6f7;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
${logoUrl ? logo(logoUrl) : ''}${content.before.map(paragraph).join('\n')}
<p style="margin:0 0 24px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${[...tables.map(tableHtml), ...content.after.map(paragraph)].join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#6b7280">${escapeHtml(PRODUCT_NAME)}</p>
</div></body></html>`,
  };
}

/** Small, so that it can't pass for the message. Without alternative text, since the sentences name the company. */
const logo = (url: string) =>
  `<p style="margin:0 0 24px"><img src="${escapeHtml(url)}" alt="" style="display:block;max-width:200px;max-height:56px;border:0"></p>\n`;

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2937;overflow-wrap:anywhere">${linesHtml(text)}</p>`;

function tableText({ title, note, rows }: MailTable): string {
  return [title, ...(note ? [note] : []), ...rows.map((row) => `  ${row.label}${row.note ? ` (${row.note})` : ''}: ${row.amount}`)].join(
    '\n',
  );
}

/** The amounts never break; the names do. */
function tableHtml({ title, note, rows }: MailTable): string {
  return `<p style="margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600;color:#111827;overflow-wrap:anywhere">${escapeHtml(title)}</p>
${note ? `<p style="margin:0 0 4px;font-size:14px;line-height:20px;color:#6b7280;overflow-wrap:anywhere">${linesHtml(note)}</p>\n` : ''}<table style="width:100%;margin:0 0 20px;border-collapse:collapse;font-size:14px;line-height:20px;color:#1f2937">
${rows.map(rowHtml).join('\n')}
</table>`;
}

function rowHtml({ label, note, amount, isText = false, strong = false }: MailRow): string {
  const weight = strong ? 'font-weight:600;' : '';
  const small = note ? `<br><span style="font-size:13px;color:#6b7280">${escapeHtml(note)}</span>` : '';
  const labelWrap = isText ? '' : ';overflow-wrap:anywhere';
  const amountWrap = isText ? 'overflow-wrap:anywhere' : 'white-space:nowrap';
  return `<tr><td style="${weight}padding:6px 12px 6px 0;border-top:1px solid #e5e7eb;vertical-align:top${labelWrap}">${escapeHtml(label)}${small}</td><td style="${weight}padding:6px 0;border-top:1px solid #e5e7eb;text-align:right;vertical-align:top;${amountWrap}">${escapeHtml(amount)}</td></tr>`;
}

const linesHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');
