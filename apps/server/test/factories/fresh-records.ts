import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { signUp, uniqueEmail } from '../accounts.ts';
import type { TestApp } from '../test-app.ts';
import { newMember } from './inputs.ts';
import { type Firm, hire, type Person } from './people.ts';

/** Records that a call uses up, created on each access. */
export interface FreshRecords {
  account(): Promise<{ email: string; password: string }>;
  /** The secret part of an unopened mailed link. */
  passwordResetToken(): Promise<string>;
  /** For the admin, whose session confirms it. */
  emailChangeToken(): Promise<string>;
  undoEmailChangeToken(): Promise<string>;
  invitationToken(): Promise<string>;
  /** Uploaded, and not attached to anything. */
  fileId(): Promise<string>;
  /** The admin's new password; people are created without one. */
  adminPassword(): Promise<string>;
  /** As after signing up. Adds no field. */
  unconfirmedEmail(): Promise<Record<string, never>>;
  /** With whom the first one may leave. Adds no field. */
  secondAdmin(): Promise<Record<string, never>>;
  /** The secret part of a quote's public link. */
  quoteToken(quoteId: string): Promise<string>;
  invoiceToken(jobId: string): Promise<string>;
  /** Takes back any answer to a quote, and returns the ids of its optional sections. */
  reopenedOptions(quoteId: string): Promise<string[]>;
  /** Where a job or task is in the calendar now. */
  scheduledJob(jobId: string): Promise<Seen>;
  scheduledTask(taskId: string): Promise<Seen>;
  companyName(): Promise<string>;
  /** Puts the company back before its onboarding. Adds no field. */
  openOnboarding(): Promise<object>;
}

interface Seen {
  readonly starts_at: string | null;
  readonly duration: string | null;
  readonly staff_id: string | null;
}

export function freshRecords(test: TestApp, { companyId, people }: Firm): FreshRecords {
  return {
    account: () => signUp(test),
    async passwordResetToken() {
      const { email } = await hire(test, companyId, 'staff');
      await test.client().auth.requestPasswordReset({ email });
      return tokenMailedTo(test, email);
    },
    emailChangeToken: () => requestEmailChange(test, people.admin),
    async undoEmailChangeToken() {
      const person = await hire(test, companyId, 'staff');
      await person.client.auth.confirmEmailChange({ token: await requestEmailChange(test, person) });
      return tokenMailedTo(test, person.email);
    },
    async invitationToken() {
      const member = newMember();
      await people.admin.client.staff.invite(member);
      return tokenMailedTo(test, member.email);
    },
    async fileId() {
      const id = randomUUID();
      const insert = `insert into files (company_id, id, file_name, file_size, file_type) values ($1, $2, 'leak.png', 1, 'image/png')`;
      await test.app.platform.pools.system.query(insert, [companyId, id]);
      return id;
    },
    async adminPassword() {
      await givePassword(test, people.admin);
      return PASSWORD;
    },
    async unconfirmedEmail() {
      await test.owner.query('update users set email_verified = false where id = $1', [people.admin.userId]);
      return {};
    },
    async secondAdmin() {
      await hire(test, companyId, 'admin');
      return {};
    },
    async quoteToken(quoteId) {
      const { public_path } = await people.admin.client.quotes.get({ id: quoteId });
      return public_path.replace('/quote/', '');
    },
    async invoiceToken(jobId) {
      const { public_path } = await people.admin.client.invoices.billing({ id: jobId });
      return public_path.replace('/invoice/', '');
    },
    async reopenedOptions(quoteId) {
      await test.owner.query('delete from quote_acceptances where company_id = $1 and quote_id = $2', [companyId, quoteId]);
      await test.owner.query(`update quotes set status = 'draft' where company_id = $1 and id = $2`, [companyId, quoteId]);
      const { sections } = await people.admin.client.quotes.get({ id: quoteId });
      return sections.flatMap(({ id, always_required }) => (always_required ? [] : [id]));
    },
    async scheduledJob(jobId) {
      const { booking_date, duration, staff_id } = await people.admin.client.jobs.get({ id: jobId });
      return { starts_at: booking_date, duration, staff_id };
    },
    async scheduledTask(taskId) {
      const { calendar_date, calendar_duration, staff_id } = await people.admin.client.tasks.get({ id: taskId });
      return { starts_at: calendar_date, duration: calendar_duration, staff_id };
    },
    async companyName() {
      const { rows } = await test.owner.query<{ name: string }>('select company_name as name from companies where company_id = $1', [
        companyId,
      ]);
      return rows[0]?.name ?? '';
    },
    async openOnboarding() {
      await test.owner.query('update companies set onboarding_completed = false where company_id = $1', [companyId]);
      return {};
    },
  };
}

async function requestEmailChange(test: TestApp, person: Person): Promise<string> {
  const email = uniqueEmail();
  await givePassword(test, person);
  await person.client.auth.requestEmailChange({ email, current_password: PASSWORD });
  return tokenMailedTo(test, email);
}

async function tokenMailedTo({ owner }: TestApp, recipient: string): Promise<string> {
  const readMail = 'select text_body from outbox_mails where recipient = $1';
  const mailed = await vi.waitUntil(async () => (await owner.query<{ text_body: string }>(readMail, [recipient])).rows[0], {
    timeout: 10_000,
    interval: 5,
  });
  const token = /token=([\w-]+)/.exec(mailed.text_body)?.[1];
  if (!token) throw new Error(`The mail to ${recipient} has no link`);
  return token;
}

const PASSWORD = 'secret-0';

async function givePassword({ app, owner }: TestApp, { userId }: Person): Promise<void> {
  await owner.query('delete from accounts where user_id = $1', [userId]);
  await owner.query(
    `insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2::text, 'credential', $2::uuid, $3)`,
    [randomUUID(), userId, await app.platform.passwords.hash(PASSWORD)],
  );
}
