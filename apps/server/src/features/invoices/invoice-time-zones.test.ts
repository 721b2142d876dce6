import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { buildTestEmail } from '../../../test/accounts.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp(mailbox.environment);
  return () => mailbox.stop();
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** The time at which each zone has another date than the company's, just after its midnight and just before. */
it.each([
  ['Pacific/Auckland', 'America/Los_Angeles', '2026-11-16T11:30:00Z', '2026-11-17', '2026-11-24', 'Nov 17, 2026', 'Nov 24, 2026'],
  ['America/Los_Angeles', 'Pacific/Auckland', '2026-12-01T07:30:00Z', '2026-11-30', '2026-12-07', 'Nov 30, 2026', 'Dec 7, 2026'],
])(
  "an invoice has the date in %s in its email, PDF, link and CSV, although the server's zone is %s",
  async (timezone, serverZone, now, issued_on, due_on, issued, due) => {
    const firm = await createFirm(test);
    const { customers, invoices, payments } = firm.people.admin.client;
    await test.owner.query('update companies set timezone = $2, payment_terms_days = 7 where company_id = $1', [firm.companyId, timezone]);
    const email = buildTestEmail();
    const { id: customer_id } = await customers.create(buildCustomer({ email }));
    const { id } = await createBilledJob(test, firm, { customer_id });
    await test.owner.query(`update jobs set created_at = $2 where id = $1`, [id, now]);
    vi.stubEnv('TZ', serverZone);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    expect(new Date().getDate()).not.toBe(Number(issued_on.slice(-2)));

    const { billing } = await invoices.send({ id, mail_id: randomUUID() });
    expect(billing).toMatchObject({
      today: issued_on,
      invoice: { issued_on, due_on, late_after: due_on, shown_status: 'due', days_late: -7 },
    });
    const mail = await mailbox.waitForMail(email);
    expect(mail.text).toContain(`Due ${due}`);
    const token = billing.public_path.split('/').at(-1) ?? '';
    const pdf = await test.request('GET', `/api/public/invoices/${token}/pdf`);
    const { text } = await readPdf(pdf.rawPayload);
    expect([text.includes(issued), text.includes(due)]).toEqual([true, true]);
    const page = await test.client().publicInvoices.get({ token });
    expect(page).toMatchObject({ document: { issued, due: `Due ${due}` } });

    await payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    expect((await invoices.billing({ id })).payments).toMatchObject([{ paid_on: issued_on }]);
    const csv = await test.request('GET', `/api/invoices.csv?from=${issued_on}&to=${issued_on}`, { cookie: firm.people.admin.cookie });
    expect(csv.headers['content-disposition']).toContain(`invoices-${issued_on}.csv`);
    expect(csv.body).toContain(`"Invoice","${issued_on}","${due_on}"`);
  },
);
