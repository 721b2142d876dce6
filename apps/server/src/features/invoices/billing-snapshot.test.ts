import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { waitUntilBlocked, waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let jobId: string;
let token: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  jobId = (await createBilledJob(test, firm)).id;
  token = (await readBilling()).public_path.replace('/invoice/', '');
});

const PAYMENT = '17.31';
const readBilling = () => firm.people.admin.client.invoices.billing({ id: jobId });
const readPublicPage = () => test.client().publicInvoices.get({ token });
const sendInvoice = () => firm.people.admin.client.invoices.send({ id: jobId, mail_id: randomUUID(), by_hand: true });

async function readPdfText(path: string): Promise<string> {
  const { rawPayload } = await test.request('GET', path, { cookie: firm.people.admin.cookie });
  return (await readPdf(rawPayload)).text;
}

const LOCK_PAYMENTS = 'begin; lock table payments in access exclusive mode';

/** Commits a payment while `read` waits to read the payments, after it has read the job. */
async function payDuring<Result>(read: () => Promise<Result>, { opensLink = false } = {}): Promise<Result> {
  return withOwnerClient(test.database, async (owner) => {
    const { reading } = opensLink ? await lockPaymentsAfterLink(owner, read) : await lockPayments(owner, read);
    await waitUntilBlockedBy(test.database, owner);
    await owner.query(
      `insert into payments (company_id, id, job_id, amount, paid_on, method, recorded_by, recorded_at)
        values ($1, gen_random_uuid(), $2, $3, current_date, 'cash', 'Callout', now())`,
      [firm.companyId, jobId, PAYMENT],
    );
    await owner.query('commit');
    return reading;
  });
}

async function lockPayments<Result>(owner: pg.Client, read: () => Promise<Result>): Promise<{ reading: Promise<Result> }> {
  await owner.query(LOCK_PAYMENTS);
  return { reading: read() };
}

/** Locks the payments once `read` has opened its public link, which reads them too. */
async function lockPaymentsAfterLink<Result>(owner: pg.Client, read: () => Promise<Result>): Promise<{ reading: Promise<Result> }> {
  return withOwnerClient(test.database, async (first) => {
    await first.query(LOCK_PAYMENTS);
    const reading = read();
    await waitUntilBlocked(test.database);
    // This lock is granted after the link's statement, which waits already, and before the statements that follow.
    const locked = owner.query(LOCK_PAYMENTS);
    await waitUntilBlocked(test.database, 2);
    await first.query('commit');
    await locked;
    return { reading };
  });
}

describe('a payment that commits during a read', () => {
  it('is missing from both the sum and the list of the payment page, and is in both afterwards', async () => {
    expect(await payDuring(readBilling)).toMatchObject({ paid_amount: '0.00', payments: [] });
    expect(await readBilling()).toMatchObject({ paid_amount: PAYMENT, payments: [{ amount: PAYMENT }] });
  });

  it.each(['a draft', 'a sent invoice'])("doesn't change half of the public page of %s", async (kind) => {
    if (kind === 'a sent invoice') await sendInvoice();
    expect(await payDuring(readPublicPage, { opensLink: true })).toMatchObject({ paid_amount: '0.00', payments: [] });
    expect(await readPublicPage()).toMatchObject({ paid_amount: PAYMENT, payments: [{ amount: PAYMENT }] });
  });

  it.each([
    ['of a draft', false, async () => `/api/jobs/${jobId}/invoice.pdf`],
    ['of a sent invoice', false, async () => `/api/invoices/${(await sendInvoice()).billing.invoice?.id}/pdf`],
    ['for the customer', true, async () => `/api/public/invoices/${token}/pdf`],
  ])('is not printed in a PDF %s that was already being read', async (_, opensLink, getPath) => {
    const path = await getPath();
    expect(await payDuring(() => readPdfText(path), { opensLink })).not.toContain(`-${PAYMENT}`);
    expect(await readPdfText(path)).toContain(`-${PAYMENT}`);
  });
});

describe("the link to a job's public invoice page", () => {
  it('exists before anyone opens the payment page', async () => {
    const { id } = await createBilledJob(test, firm);
    const { rows } = await test.owner.query<{ token: string }>('select token from public_links where record_id = $1', [id]);
    expect((await test.client().publicInvoices.get({ token: rows[0]?.token ?? '' })).document.total).toBe('$115.00');
  });

  it('ends when the job is deleted', async () => {
    await firm.people.admin.client.jobs.remove({ id: jobId });
    await expect(readPublicPage()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await test.owner.query('select from public_links where token = $1 and revoked_at is null', [token]);
    expect(rows).toEqual([]);
  });
});
