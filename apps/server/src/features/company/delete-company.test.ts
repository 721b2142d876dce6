import { DAY_MS } from '@callout/domain/time/time-units';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;
const CLOSED = { code: 'COMPANY_CLOSED', status: 403 };

async function readName(): Promise<string> {
  return (await admin().company.me()).profile?.company_name ?? '';
}

const closeFirm = async () => admin().company.requestDeletion({ confirmation: await readName() });
const listMails = async () => {
  const { rows } = await test.owner.query<{ recipient: string; subject: string }>(
    'select recipient, subject from outbox_mails where company_id = $1 order by created_at',
    [firm.companyId],
  );
  return rows;
};

describe('deleting the company', () => {
  it('closes it for a week and emails its admins', async () => {
    const { deletes_at, mail } = await closeFirm();
    expect(Math.round((Date.parse(deletes_at) - Date.now()) / DAY_MS)).toBe(7);
    expect(mail).toBe('kept');
    expect((await admin().company.me()).company_deletes_at).toBe(deletes_at);
    expect(await listMails()).toEqual([
      { recipient: firm.people.admin.email, subject: expect.stringMatching(/ will be deleted from Callout on \w{3} \d+, \d{4}$/) },
    ]);
  });

  it('requires the exact company name', async () => {
    await expect(admin().company.requestDeletion({ confirmation: 'Another name' })).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect((await admin().company.me()).company_deletes_at).toBeNull();
  });

  it.each(['manager', 'accountant', 'staff'] as const)('is refused to the role %s, as is undoing it', async (role) => {
    const { client } = firm.people[role];
    const confirmation = await readName();
    await expect(client.company.requestDeletion({ confirmation })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await closeFirm();
    await expect(client.company.cancelDeletion()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keeps the first date and sends no second email if it is requested again', async () => {
    const { deletes_at } = await closeFirm();
    expect((await closeFirm()).deletes_at).toBe(deletes_at);
    expect(await listMails()).toHaveLength(1);
  });
});

describe('a closed company', () => {
  it('refuses the work of every member, but lets them see when it will be deleted', async () => {
    const { deletes_at } = await closeFirm();
    for (const { client, cookie } of Object.values(firm.people)) {
      await expect(client.jobs.list({})).rejects.toMatchObject(CLOSED);
      expect((await test.request('GET', '/api/files/018f0000-0000-7000-8000-000000000002', { cookie })).json()).toMatchObject(CLOSED);
      expect((await client.company.me()).company_deletes_at).toBe(deletes_at);
    }
  });

  it('hides its calendar feeds and invitations, which work again once the deletion is undone', async () => {
    const { url } = await firm.people.staff.client.calendar.openFeed();
    const { member } = await admin().staff.invite(buildMember());
    const { url: invitation } = await admin().staff.copyInvitationLink({ id: member.id });
    const token = new URL(invitation).searchParams.get('token') ?? '';
    const readFeed = async () => (await test.request('GET', new URL(url ?? '').pathname)).statusCode;
    await closeFirm();
    expect(await readFeed()).toBe(404);
    await expect(test.client().staff.viewInvitation({ token })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await admin().company.cancelDeletion();
    expect(await readFeed()).toBe(200);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ email: member.email });
  });

  it('opens again for everyone when an admin undoes the deletion, and emails the admins once', async () => {
    await closeFirm();
    await admin().company.cancelDeletion();
    await admin().company.cancelDeletion();
    expect((await admin().company.me()).company_deletes_at).toBeNull();
    expect(await firm.people.staff.client.jobs.list({})).toMatchObject({ rows: [] });
    expect((await listMails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('will be deleted'),
      expect.stringContaining('will not be deleted'),
    ]);
  });
});
