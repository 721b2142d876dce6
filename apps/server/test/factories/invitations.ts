import { expect } from 'vitest';
import type { Mailbox } from '../mailbox.ts';
import type { TestApp } from '../test-app.ts';
import { buildMember, type NewMemberInput } from './inputs.ts';
import type { Firm } from './people.ts';

/** Extracts the token from an invitation link, or from an email that contains one. */
export const parseInvitationToken = (text: string) => /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '';

/** Waits until `email` has received `count` invitations and returns the invitations' tokens, oldest first. */
export async function waitForInvitationTokens(mailbox: Mailbox, email: string, count = 1): Promise<string[]> {
  await expect.poll(() => mailbox.listMailsTo(email).length, { timeout: 20_000 }).toBe(count);
  return mailbox.listMailsTo(email).map(({ text }) => parseInvitationToken(text));
}

/** Reads the newest invitation's token from the outbox, where emails stay if the server has no SMTP settings. */
export async function readNewestInvitationToken({ app }: TestApp, email: string): Promise<string> {
  const { rows } = await app.platform.pools.system.query<{ text_body: string }>(
    `select text_body from outbox_mails where recipient = $1 and text_body like '%/invitation?token=%' order by created_at desc limit 1`,
    [email],
  );
  return parseInvitationToken(rows[0]?.text_body ?? '');
}

/** Invites a staff member as the firm's admin and returns the invitation's token. Works only on a server without SMTP settings. */
export async function inviteMember(test: TestApp, firm: Firm, overrides: Partial<NewMemberInput> = {}) {
  const { member } = await firm.people.admin.client.staff.invite(buildMember(overrides));
  return { member, token: await readNewestInvitationToken(test, member.email) };
}
