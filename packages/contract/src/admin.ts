import { MAIL_STATUSES } from '@callout/domain/mail/mail';
import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, notFound } from './errors.ts';
import { Cursor, Id, Instant, MAX_INTEGER, OutputId, requiredText, Search } from './fields.ts';

export const ADMIN_PAGE_SIZE = 50;

export const COMPANY_STATUSES = ['Active', 'Onboarding'] as const;

export const RegisteredCompany = z.object({
  id: OutputId,
  /** Its name, or its founder's email while it has none; typed to confirm its deletion. */
  label: z.string(),
  email: z.string().nullable(),
  staff: z.int(),
  jobs: z.int(),
  customers: z.int(),
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
  /** Only for unsent mails: links in sent mails belong to their recipients alone. */
  text: z.string().nullable(),
  /** A secret link is deleted once it is sent. */
  can_send_again: z.boolean(),
  /** After a failed attempt that will be repeated. */
  next_attempt: Instant.nullable(),
});
export type OutboxMail = z.infer<typeof OutboxMail>;

export const QueueHealth = z.object({
  waiting: z.int(),
  running: z.int(),
  /** Failed after all attempts. */
  failed: z.int(),
  oldest_waiting: Instant.nullable(),
  /** Whether a mail server is configured; without one, mail is kept. */
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

const page = z.object({ cursor: Cursor.optional() });

export const companyNotFound = notFound('Company not found');
export const mailNotFound = notFound('Mail not found');
export const notConfirmed = {
  NOT_CONFIRMED: { status: errorStatus.NOT_CONFIRMED, message: "That doesn't match the company name." },
} as const;

export const admin = {
  companies: call('system-admin')
    .route({ method: 'GET', path: '/admin/companies', summary: 'A page of the registered companies, newest first', tags: ['admin'] })
    .input(page)
    .output(z.object({ rows: z.array(RegisteredCompany), next_cursor: Cursor.nullable() })),

  removeCompany: call('system-admin')
    .route({
      method: 'POST',
      path: '/admin/companies/{id}/remove',
      summary: "Delete a company with all its data and its users' logins",
      tags: ['admin'],
    })
    .input(z.object({ id: Id, confirmation: requiredText('The name', 300) }))
    .output(z.object({}))
    .errors({
      ...companyNotFound,
      ...notConfirmed,
    }),

  mails: call('system-admin')
    .route({ method: 'GET', path: '/admin/mails', summary: 'A page of the outbox, newest first', tags: ['admin'] })
    .input(z.object({ ...page.shape, status: MailStatus.optional(), search: Search.optional() }))
    .output(z.object({ rows: z.array(OutboxMail), next_cursor: Cursor.nullable() })),

  sendMailAgain: call('system-admin')
    .route({ method: 'POST', path: '/admin/mails/{id}/send', summary: 'Queue a mail again', tags: ['admin'] })
    // Includes the displayed number of attempts, so that a second click does not resend a mail that was just sent.
    .input(z.object({ id: Id, attempts: z.int().min(0).max(MAX_INTEGER) }))
    .output(z.object({}))
    .errors(mailNotFound),

  queue: call('system-admin')
    .route({ method: 'GET', path: '/admin/queue', summary: 'Health of the job queue', tags: ['admin'] })
    .output(QueueHealth),
};
