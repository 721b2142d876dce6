import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@callout/domain/time/time-units';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { createBilledJob, createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildMember, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

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

  it('emails an unconfirmed address at most six times a day, whichever company and tag it is for', async () => {
    const { email, userId } = firm.people.manager;
    const other = await createFirm(test);
    const shared = `owner.${randomUUID()}@example.com`;
    await test.owner.query('delete from rate_limits');
    await test.owner.query(`update staff_members set role = 'admin' where profile_id = $1`, [userId]);
    await test.owner.query('update users set email = $2, email_verified = false where id = $1', [userId, shared]);
    await test.owner.query('update users set email = $2, email_verified = false where id = $1', [
      other.people.admin.userId,
      shared.replace('@', '+tag@'),
    ]);
    for (const { people } of [firm, other]) {
      for (let n = 0; n < 5; n += 1) {
        const { profile } = await people.admin.client.company.me();
        await people.admin.client.company.requestDeletion({ confirmation: profile?.company_name ?? '' });
        await people.admin.client.company.cancelDeletion();
      }
    }
    const countMails = async (recipient: string) =>
      (await test.owner.query('select from outbox_mails where recipient like $1', [recipient])).rowCount;
    expect(await countMails(shared.replace('@', '%@'))).toBe(6);
    expect(await countMails(email)).toBe(0);
    expect(await countMails(firm.people.admin.email)).toBe(10);
  });

  it('is limited to 20 times a day, but not by mistyped names, and can always be undone', async () => {
    for (let n = 0; n < 25; n += 1)
      await admin()
        .company.requestDeletion({ confirmation: 'Mistyped' })
        .catch(() => undefined);
    for (let n = 0; n < 20; n += 1) {
      await closeFirm();
      await admin().company.cancelDeletion();
    }
    await expect(closeFirm()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect((await admin().company.me()).company_deletes_at).toBeNull();
  });

  it('accepts the name as it is displayed if it is stored with other spaces around it', async () => {
    await test.owner.query('update companies set company_name = $2 where company_id = $1', [firm.companyId, '\u00a0 Pipes & Co\u2003']);
    expect(await admin().company.requestDeletion({ confirmation: 'Pipes & Co' })).toMatchObject({ mail: 'kept' });
  });

  it('closes it once if two admins delete it at the same time', async () => {
    const confirmation = await readName();
    const requests = await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const both = [1, 2].map(() => admin().company.requestDeletion({ confirmation }));
      await waitUntilBlocked(test.database, 2);
      await client.query('commit');
      return Promise.all(both);
    });
    expect(requests[0]?.deletes_at).toBe(requests[1]?.deletes_at);
    expect(await listMails()).toHaveLength(1);
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

  it('hides its public pages, their files and PDFs, and its images', async () => {
    const { quotes, invoices, jobs } = admin();
    const logo = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const uploaded = await uploadFile(test, '/api/company/logo', firm.people.admin.cookie, 'logo.png', logo);
    const { id: job_id } = await createBilledJob(test, firm);
    const { public_path } = (await invoices.send({ id: job_id, mail_id: randomUUID(), by_hand: true })).billing;
    const { customer } = await jobs.get({ id: job_id });
    const quote = await quotes.create(buildQuote({ customer_id: customer?.id ?? '' }));
    const invoice = public_path.split('/').at(-1) ?? '';
    const quoteLink = (await quotes.get({ id: quote.id })).public_path.split('/').at(-1) ?? '';
    const paths = [
      `/api/public/invoices/${invoice}`,
      `/api/public/invoices/${invoice}/pdf`,
      `/api/public/quotes/${quoteLink}`,
      `/api/public/quotes/${quoteLink}/pdf`,
      uploaded.json<{ avatar_url: string }>().avatar_url,
    ];
    const readStatuses = async () => Promise.all(paths.map(async (path) => (await test.request('GET', path)).statusCode));
    expect(await readStatuses()).toEqual(paths.map(() => 200));
    await closeFirm();
    expect(await readStatuses()).toEqual(paths.map(() => 404));
    await admin().company.cancelDeletion();
    expect(await readStatuses()).toEqual(paths.map(() => 200));
  });

  it('stops everyone’s timers at the time of closing, and says so in the history of their jobs', async () => {
    const { staff, manager } = firm.people;
    const { id: job_id } = await createFirmJob(test, firm, { job_type: 'hourly' });
    for (const { client } of [staff, manager]) await client.timer.start({ id: randomUUID(), job_id });
    await test.owner.query(`update time_entries set started_at = started_at - interval '1 hour' where job_id = $1`, [job_id]);
    await closeFirm();
    await test.owner.query(`update companies set deletes_at = deletes_at - interval '3 days' where company_id = $1`, [firm.companyId]);
    await admin().company.cancelDeletion();
    const { timer } = await admin().jobs.get({ id: job_id });
    expect(timer.running).toEqual([]);
    expect(Math.round(timer.finished_seconds / 60)).toBe(120);
    const { rows } = await admin().comments.history({ id: job_id });
    expect(rows.filter(({ action }) => action === 'timer_paused').map(({ who, changes }) => [who, changes])).toEqual(
      expect.arrayContaining([
        ['The admin', { timer_of: [null, 'The staff'] }],
        ['The admin', { timer_of: [null, 'The manager'] }],
      ]),
    );
  });

  it('counts no time of a timer that was starting while the company was closed', async () => {
    const { id: job_id } = await createFirmJob(test, firm, { job_type: 'hourly' });
    await closeFirm();
    await test.owner.query(`update companies set deletes_at = deletes_at - interval '3 days' where company_id = $1`, [firm.companyId]);
    await test.owner.query(
      `insert into time_entries (company_id, id, job_id, job_number, job_title, staff_id, staff_name, started_at)
        select j.company_id, gen_random_uuid(), j.id, j.job_number, j.title, j.staff_id, 'The staff', date_trunc('second', now() - interval '3 days')
        from jobs j where j.id = $1`,
      [job_id],
    );
    await admin().company.cancelDeletion();
    const { timer } = await admin().jobs.get({ id: job_id });
    expect(timer.running).toEqual([]);
    expect(timer.finished_seconds).toBeLessThan(60);
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
