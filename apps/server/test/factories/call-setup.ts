import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { buildFileKey } from '../../src/platform/files/file-store.ts';
import { buildTestEmail, signUp } from '../accounts.ts';
import type { TestApp } from '../test-app.ts';
import { buildMember } from './inputs.ts';
import { addStaffMember, type Firm, type Person } from './people.ts';

/** Creates, resets or reads what a call needs to succeed, such as an unused token. Many calls use up their records, so set up each call. */
export interface CallSetup {
  createAccount(): Promise<{ email: string; password: string }>;
  /** Returns a token from a password reset email. */
  createPasswordResetToken(): Promise<string>;
  /** Returns the admin's token. Confirming the change also requires the admin's session. */
  createEmailChangeToken(): Promise<string>;
  createEmailUndoToken(): Promise<string>;
  createInvitationToken(): Promise<string>;
  /** Returns the id of an uploaded file that isn't attached to any record. */
  createFile(): Promise<string>;
  /** Sets the admin's password, because the admin was created without one, and returns it. */
  resetAdminPassword(): Promise<string>;
  /** Marks the admin's email address as unconfirmed. Returns an empty input for the call. */
  unconfirmAdminEmail(): Promise<Record<string, never>>;
  /** Adds a second admin, so that the first one may leave the company. Returns an empty input for the call. */
  addSecondAdmin(): Promise<Record<string, never>>;
  /** Returns the token of the quote's public link. */
  readQuoteToken(quoteId: string): Promise<string>;
  readInvoiceToken(jobId: string): Promise<string>;
  /** Deletes the quote's acceptance, makes the quote a draft again and returns the ids of the optional sections. */
  reopenQuote(quoteId: string): Promise<string[]>;
  /** Returns what accepting the quote has to name: its version and the hash of its offer. */
  readQuoteOffer(quoteId: string): Promise<{ version: number; content_hash: string }>;
  readJobBooking(jobId: string): Promise<BookingSnapshot>;
  readTaskBooking(taskId: string): Promise<BookingSnapshot>;
  readCompanyName(): Promise<string>;
  /** Returns an hour of today or yesterday in which no one has tracked time yet. */
  getPastHour(): { started_at: string; ended_at: string };
  getHourYesterday(): { started_at: string; ended_at: string };
  /** Marks the company's onboarding as incomplete. Returns an empty object, which the call's input includes. */
  reopenOnboarding(): Promise<object>;
}

interface BookingSnapshot {
  readonly starts_at: string | null;
  readonly duration: string | null;
  readonly staff_id: string | null;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

export function createCallSetup(test: TestApp, { companyId, people }: Firm): CallSetup {
  return {
    createAccount: () => signUp(test),
    getPastHour: () => ({ started_at: hoursAgo(3), ended_at: hoursAgo(2) }),
    getHourYesterday: () => ({ started_at: hoursAgo(30), ended_at: hoursAgo(29) }),
    async createPasswordResetToken() {
      const { email } = await addStaffMember(test, companyId, 'staff');
      await test.client().auth.requestPasswordReset({ email });
      return waitForMailedToken(test, email);
    },
    createEmailChangeToken: () => requestEmailChange(test, people.admin),
    async createEmailUndoToken() {
      const person = await addStaffMember(test, companyId, 'staff');
      await person.client.auth.confirmEmailChange({ token: await requestEmailChange(test, person) });
      return waitForMailedToken(test, person.email);
    },
    async createInvitationToken() {
      const member = buildMember();
      await people.admin.client.staff.invite(member);
      return waitForMailedToken(test, member.email);
    },
    async createFile() {
      const id = randomUUID();
      const insertFile = `insert into files (company_id, id, file_name, file_size, file_type) values ($1, $2, 'leak.png', 1, 'image/png')`;
      await test.app.platform.pools.system.query(insertFile, [companyId, id]);
      const received = await test.app.platform.files.receive(Readable.from(['x']));
      await received.saveAs(buildFileKey(companyId, id));
      await received.discard();
      return id;
    },
    async resetAdminPassword() {
      await setPassword(test, people.admin);
      return TEST_PASSWORD;
    },
    async unconfirmAdminEmail() {
      await test.owner.query('update users set email_verified = false where id = $1', [people.admin.userId]);
      return {};
    },
    async addSecondAdmin() {
      await addStaffMember(test, companyId, 'admin');
      return {};
    },
    async readQuoteToken(quoteId) {
      const { public_path } = await people.admin.client.quotes.get({ id: quoteId });
      return public_path.replace('/quote/', '');
    },
    async readInvoiceToken(jobId) {
      const { public_path } = await people.admin.client.invoices.billing({ id: jobId });
      return public_path.replace('/invoice/', '');
    },
    async reopenQuote(quoteId) {
      await test.owner.query('delete from quote_acceptances where company_id = $1 and quote_id = $2', [companyId, quoteId]);
      await test.owner.query(`update quotes set status = 'draft' where company_id = $1 and id = $2`, [companyId, quoteId]);
      const { sections } = await people.admin.client.quotes.get({ id: quoteId });
      return sections.flatMap(({ id, always_required }) => (always_required ? [] : [id]));
    },
    async readQuoteOffer(quoteId) {
      const { version, public_path } = await people.admin.client.quotes.get({ id: quoteId });
      const { content_hash } = await test.client().publicQuotes.get({ token: public_path.replace('/quote/', '') });
      return { version, content_hash: content_hash ?? '' };
    },
    async readJobBooking(jobId) {
      const { booking_date, duration, staff_id } = await people.admin.client.jobs.get({ id: jobId });
      return { starts_at: booking_date, duration, staff_id };
    },
    async readTaskBooking(taskId) {
      const { calendar_date, calendar_duration, staff_id } = await people.admin.client.tasks.get({ id: taskId });
      return { starts_at: calendar_date, duration: calendar_duration, staff_id };
    },
    async readCompanyName() {
      const { rows } = await test.owner.query<{ name: string }>('select company_name as name from companies where company_id = $1', [
        companyId,
      ]);
      return rows[0]?.name ?? '';
    },
    async reopenOnboarding() {
      await test.owner.query('update companies set onboarding_completed = false where company_id = $1', [companyId]);
      return {};
    },
  };
}

async function requestEmailChange(test: TestApp, person: Person): Promise<string> {
  const email = buildTestEmail();
  await setPassword(test, person);
  await person.client.auth.requestEmailChange({ email, current_password: TEST_PASSWORD });
  return waitForMailedToken(test, email);
}

async function waitForMailedToken({ owner }: TestApp, recipient: string): Promise<string> {
  const selectMail = 'select text_body from outbox_mails where recipient = $1';
  const mail = await vi.waitUntil(async () => (await owner.query<{ text_body: string }>(selectMail, [recipient])).rows[0], {
    timeout: 10_000,
    interval: 5,
  });
  const token = /token=([\w-]+)/.exec(mail.text_body)?.[1];
  if (!token) throw new Error(`The mail to ${recipient} has no link`);
  return token;
}

const TEST_PASSWORD = 'secret-0';

async function setPassword({ app, owner }: TestApp, { userId }: Person): Promise<void> {
  await owner.query('delete from accounts where user_id = $1', [userId]);
  await owner.query(
    `insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2::text, 'credential', $2::uuid, $3)`,
    [randomUUID(), userId, await app.platform.passwordHasher.hash(TEST_PASSWORD, '127.0.0.1')],
  );
}
