import { expect } from 'vitest';
import type { Mailbox } from '../mailbox.ts';
import type { TestApp } from '../test-app.ts';
import { type NewMemberInput, newMember } from './inputs.ts';
import type { Firm } from './people.ts';

/** Of the link in a mail, or that was copied. */
export const invitationToken = (text: string) => /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '';

/** The tokens of all invitations mailed to an email, oldest first, once there are this many. */
export async function mailedTokens(mailbox: Mailbox, email: string, count = 1): Promise<string[]> {
  await expect.poll(() => mailbox.mailsTo(email).length, { timeout: 20_000 }).toBe(count);
  return mailbox.mailsTo(email).map(({ text }) => invitationToken(text));
}

/** Of the newest invitation to an email, on a server without mail. */
export async function newestInvitationToken({ app }: TestApp, email: string): Promise<string> {
  const { rows } = await app.platform.pools.system.query<{ text_body: string }>(
    `select text_body from outbox_mails where recipient = $1 and text_body like '%/invitation?token=%' order by created_at desc limit 1`,
    [email],
  );
  return invitationToken(rows[0]?.text_body ?? '');
}

/** Somebody whom the firm's admin has invited, and the token of the link to them, on a server without mail. */
export async function inviteMember(test: TestApp, by: Firm, over: Partial<NewMemberInput> = {}) {
  const { member } = await by.people.admin.client.staff.invite(newMember(over));
  return { member, token: await newestInvitationToken(test, member.email) };
}
