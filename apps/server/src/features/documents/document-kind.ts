import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { DeclaredError } from '../../platform/errors/failures.ts';
import type { MailLimits, ManualMailLimits } from '../../platform/limits/mail-limits.ts';
import type { MailReport, QueuedMail } from '../../platform/mail/outbox.sql.ts';
import { defineTask, type Task } from '../../platform/queue/task.ts';
import type { HistoryKind } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import type { DocumentMail } from './document-mails.sql.ts';
import type { DueDocument, ReminderRule } from './document-reminders.sql.ts';
import type { DocumentName, MailKind, MailTable } from './documents.table.ts';

export type MailText = Pick<DocumentMail, 'subject' | 'body'>;
export type MailMessage = Pick<DocumentMail, 'recipient' | 'subject' | 'body'>;

/** How a kind of document differs from the others. Everything else about emails, reminders and delivery is shared. */
interface DocumentRules<Document> {
  readonly name: DocumentName;
  readonly topic: 'quotes' | 'invoices';
  readonly mails: MailTable;
  readonly notFound: DeclaredError;
  readonly unconfirmedSender: DeclaredError;
  readonly reminderRule: ReminderRule;
  find(scope: TenantScope, id: string): Promise<Document | null>;
  /** Locks what decides whether an email is still wanted: the quote, or the invoice's job. */
  lock(scope: TenantScope, id: string): Promise<unknown>;
  prepareMail(scope: TenantScope, document: Document): Promise<DocumentMailer>;
  /** Checks the rule again for one document, and what only the document's company can tell, such as its date. */
  isReminderDue(scope: TenantScope, id: string): Promise<boolean>;
  describe(document: Document): DocumentDescription;
  /** Runs when a person sends the document, if a mail server is configured. */
  markSent(scope: TenantScope, document: Document, recipient: string): Promise<void>;
  /** Runs when an administrator resends the email from the outbox. */
  markResent(scope: TenantScope, document: Document, recipient: string): Promise<void>;
  /** Runs when the email can't be delivered. Another email may have been. */
  markUndelivered(scope: TenantScope, document: Document): Promise<void>;
}

/** Builds a document's emails, all from the same state of the document. */
export interface DocumentMailer {
  /** The customer's current email address, or null if the customer has none or was deleted. */
  readonly recipient: string | null;
  readonly canRemind: boolean;
  /** Throws if the document can no longer be sent, such as an expired quote. */
  requireSendable(kind: MailKind): void;
  buildReminder(): Promise<MailText>;
  /** Builds the text of another attempt to send the email. */
  rebuildText(mail: DocumentMail): Promise<MailText>;
  buildMail(message: MailMessage, appUrl: string): Promise<QueuedMail>;
}

export interface DocumentDescription {
  /** For example 'quote Q-1042'. */
  readonly label: string;
  readonly customerName: string | null;
  /** The record that lists the document's events, and what to add to each event. */
  readonly history: { readonly kind: HistoryKind; readonly id: string; readonly changes: FieldChanges };
  /** The page that a notification opens. */
  readonly notificationData: { readonly quote_id: string } | { readonly job_id: string };
}

export interface DocumentKind<Document> extends DocumentRules<Document> {
  readonly limits: DocumentMailLimits;
  readonly deliveryTask: Task<MailReport>;
  readonly reminderTask: Task<DueDocument>;
}

interface DocumentMailLimits {
  readonly byHand: ManualMailLimits;
  /** Automatic reminders have their own limits, so they never use up the limits for emails sent by hand. */
  readonly reminders: MailLimits;
}

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export function defineDocument<Document extends { readonly id: string }>(
  rules: DocumentRules<Document>,
  { perCompanyAndHour, perNetworkAndDay }: { readonly perCompanyAndHour: number; readonly perNetworkAndDay: number },
): DocumentKind<Document> {
  const { name } = rules;
  return {
    ...rules,
    deliveryTask: defineTask(`record-${name}-delivery`),
    reminderTask: defineTask(`remind-${name}`),
    limits: {
      byHand: {
        action: `${name}-mail`,
        company: { attempts: perCompanyAndHour, seconds: HOUR_SECONDS },
        network: { attempts: perNetworkAndDay, seconds: DAY_SECONDS },
        // Enough for a property manager with many jobs. Only people with a confirmed email address can send documents.
        companyToRecipient: { attempts: 200, seconds: DAY_SECONDS },
        recipient: { attempts: 400, seconds: DAY_SECONDS },
        recipientLimitMessage: 'This customer has been sent many emails today. Please try again tomorrow.',
      },
      reminders: {
        action: `${name}-reminder`,
        company: { attempts: 300, seconds: DAY_SECONDS },
        companyToRecipient: { attempts: 5, seconds: DAY_SECONDS },
      },
    },
  };
}
