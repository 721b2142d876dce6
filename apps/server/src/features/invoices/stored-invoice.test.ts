import { randomUUID } from 'node:crypto';
import { type CanonicalValue, toCanonicalJson } from '@callout/domain/documents/canonical-json';
import { expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { hashDocument } from '../documents/freeze-document.ts';

/**
 * An invoice exactly as it was stored in November 2026. Never change this sample: customers have such invoices, and they must stay readable
 * and verifiable after every schema change. If the format changes, add another sample.
 */
const STORED_RECORD =
  '{"created_by":"The admin","currency":"NZD","customer_name":"Helen Faleolo","document":{"amount":"115.00","currency":"NZD","customer":{"company_name":null,"name":"Helen Faleolo"},"description":"As agreed","due":"Due Nov 23, 2026","exact":{"amount":"115.00","fee":"4.36","subtotal":"100.00","tax":"15.00","total":"119.36"},"fee":"4.36","invoice_number":"INV-2026-0001","issued":"Nov 16, 2026","issuer":{"address":"12 Rātā Street","company_name":"Tane Plumbing","email":null,"phone":null},"items":[{"description":null,"is_service":false,"name":"Kitchen mixer tap","quantity":"1","tax":"inc GST","total":"57.50","unit_price":"57.50"},{"description":null,"is_service":false,"name":"Kitchen mixer tap","quantity":"2","tax":"exc GST","total":"50.00","unit_price":"25.00"}],"job_number":"J26110001","reference":"#J26110001","subtotal":"100.00","tax":"15.00","tax_label":"GST 15%","title":"Hot water","total":"$119.36"},"due_on":"2026-11-23","fees":{"add_paypal_fees":true,"paypal_fee_percentage":"3.400"},"gst_number":"123-456-789","id":"46176a29-adcb-437e-aed9-86466e140a7e","invoice_number":"INV-2026-0001","issued_on":"2026-11-16","job_id":"ea08f3ff-84af-4ea0-a574-b10617035e2c","job_number":"J26110001","kind":"invoice","late_after":"2026-11-23","reason":null,"replaces":null,"subtotal":"100.00","tax_amount":"15.00","title":"Hot water","total_amount":"115.00"}';
const STORED_SHA256 = '16d88301567958540c4a900e4babd5c86b5b8e56b6b55ddca76866de7251a56d';

interface StoredInvoice {
  readonly id: string;
  readonly job_id: string;
  readonly document: object;
}

it('an invoice stored in 2026 can still be verified, printed, paid and credited', async () => {
  const stored = JSON.parse(STORED_RECORD) as StoredInvoice & CanonicalValue;
  expect([toCanonicalJson(stored), hashDocument(stored)]).toEqual([STORED_RECORD, STORED_SHA256]);
  const test = await startTestApp();
  const firm = await createFirm(test);
  const { client, cookie } = firm.people.admin;
  await test.owner.query(`update companies set paypal_email = 'pay@example.com' where company_id = $1`, [firm.companyId]);
  await createBilledJob(test, firm, { id: stored.job_id });
  await client.invoices.send({ id: stored.job_id, mail_id: randomUUID(), by_hand: true });
  await test.owner.query(
    `update invoices set (id, kind, invoice_number, job_number, title, customer_name, issued_on, due_on, late_after, subtotal, tax_amount,
        total_amount, currency, replaces, created_by)
      = (select id, kind, invoice_number, job_number, title, customer_name, issued_on, due_on, late_after, subtotal, tax_amount,
        total_amount, currency, replaces, created_by from json_populate_record(null::invoices, $2::json)),
      year = 2026, number = 1, record = $2, sha256 = $3
      where job_id = $1`,
    [stored.job_id, STORED_RECORD, STORED_SHA256],
  );
  const { document, invoice, public_path } = await client.invoices.billing({ id: stored.job_id });
  expect(document).toMatchObject(stored.document);
  expect(invoice).toMatchObject({ id: stored.id, is_intact: true, customer_name: 'Helen Faleolo', balance: '115.00' });
  const token = public_path.replace('/invoice/', '');
  expect(await test.client().publicInvoices.get({ token })).toMatchObject({ state: 'open', document: stored.document });
  const readText = async (id: string) =>
    (await readPdf((await test.request('GET', `/api/invoices/${id}/pdf`, { cookie })).rawPayload)).text;
  for (const part of [
    'Tax Invoice',
    'INV-2026-0001',
    'Due Nov 23, 2026',
    'GST number 123-456-789',
    'PayPal Fee (online payment only) 4.36',
    'Total $119.36',
  ])
    expect(await readText(stored.id)).toContain(part);
  await client.payments.record({ id: randomUUID(), job_id: stored.job_id, amount: '15' });
  expect(await readText(stored.id)).toMatch(/Total \$115\.00\nPaid .* -15\.00\nAmount due by bank transfer \$100\.00/);
  const credit_id = randomUUID();
  const { invoices } = await client.invoices.credit({ id: stored.id, credit_id, reason: 'Wrong customer' });
  expect(invoices.map(({ is_intact }) => is_intact)).toEqual([true, true]);
  expect(await readText(credit_id)).toContain('Total -$115.00');
});
