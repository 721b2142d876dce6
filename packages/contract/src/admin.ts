import { MAIL_STATUSES } from '@callout/domain/mail/mail';
import { z } from 'zod';
import { defineCall, defineSlowCall } from './call.ts';
import { companyNameMismatchError } from './company.ts';
import { notFoundError } from './errors.ts';
import { Cursor, Id, Instant, MAX_INTEGER, OutputId, requiredText, SearchTerm } from './fields.ts';
import { CappedCount } from './lists.ts';

export const ADMIN_PAGE_SIZE = 50;

export const COMPANY_STATUSES = ['Active', 'Onboarding', 'Closed'] as const;

export const RegisteredCompany = z.object({
  id: OutputId,
  /** The company's name, or its founder's email address while it has no name. The system administrator types it to confirm a deletion. */
  label: z.string(),
  email: z.string().nullable(),
  staff: z.int(),
  jobs: CappedCount,
  customers: CappedCount,
  created_at: Instant,
  last_active: Instant,
  status: z.enum(COMPANY_STATUSES),
});
export type RegisteredCompany = z.infer<typeof RegisteredCompany>;

export const MailStatus = z.enum(MAIL_STATUSES);

export const OutboxMail = z.object({
  id: OutputId,
  company: z.string().nullable(),
  recipient: z.string(),
  subject: z.string(),
  status: MailStatus,
  attempts: z.int(),
  last_error: z.string().nullable(),
  created_at: Instant,
  sent_at: Instant.nullable(),
  /** Null once the email is sent, because its links are meant for the recipient only. */
  text: z.string().nullable(),
  /** False for a sent email that contained a secret link, because sending deletes the link. */
  can_send_again: z.boolean(),
  /** When a failed delivery will be retried; null if no retry is scheduled. */
  next_attempt: Instant.nullable(),
});
export type OutboxMail = z.infer<typeof OutboxMail>;

export const QueueHealth = z.object({
  waiting: z.int(),
  running: z.int(),
  /** Number of tasks that failed on every attempt. */
  failed: z.int(),
  oldest_waiting: Instant.nullable(),
  /** Whether a mail server is configured; without one, emails stay in the outbox. */
  sends_mail: z.boolean(),
  errors: z.array(
    z.object({
      id: z.string(),
      task: z.string(),
      attempts: z.int(),
      max_attempts: z.int(),
      last_error: z.string(),
      next_attempt: Instant.nullable(),
    }),
  ),
});
export type QueueHealth = z.infer<typeof QueueHealth>;

const pageInput = z.object({ cursor: Cursor.optional() });

export const companyNotFoundError = notFoundError('Company not found');
export const mailNotFoundError = notFoundError('Email not found');

export const admin = {
  companies: defineCall('system-admin')
    .route({ method: 'GET', path: '/admin/companies', summary: 'List the registered companies, newest first', tags: ['admin'] })
    .input(z.object({ ...pageInput.shape, search: SearchTerm.optional() }))
    .output(z.object({ rows: z.array(RegisteredCompany), next_cursor: Cursor.nullable() })),

  removeCompany: defineSlowCall('system-admin')
    .route({
      method: 'POST',
      path: '/admin/companies/{id}/remove',
      summary: "Delete a company with all its data and its users' logins",
      tags: ['admin'],
    })
    .input(z.object({ id: Id, confirmation: requiredText('The name', 300) }))
    .output(z.object({}))
    .errors({
      ...companyNotFoundError,
      ...companyNameMismatchError,
    }),

  mails: defineCall('system-admin')
    .route({ method: 'GET', path: '/admin/mails', summary: 'List the emails in the outbox, newest first', tags: ['admin'] })
    .input(z.object({ ...pageInput.shape, status: MailStatus.optional(), search: SearchTerm.optional() }))
    .output(z.object({ rows: z.array(OutboxMail), next_cursor: Cursor.nullable() })),

  sendMailAgain: defineCall('system-admin')
    .route({ method: 'POST', path: '/admin/mails/{id}/send', summary: 'Send an email again', tags: ['admin'] })
    // `attempts` is the number shown on the page. A second click sends an outdated number, so the email isn't sent twice.
    .input(z.object({ id: Id, attempts: z.int().min(0).max(MAX_INTEGER) }))
    .output(z.object({}))
    .errors(mailNotFoundError),

  queue: defineCall('system-admin')
    .route({ method: 'GET', path: '/admin/queue', summary: 'Get the health of the work queue', tags: ['admin'] })
    .output(QueueHealth),
};
