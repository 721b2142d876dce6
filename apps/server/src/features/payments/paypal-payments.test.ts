import { randomUUID } from 'node:crypto';
import { calculateAmountDue } from '@callout/domain/fees/payment-fee';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await test.owner.query(`update companies set add_paypal_fees = true, paypal_email = 'p@x.nz' where company_id = $1`, [firm.companyId]);
});

const { getAdmin, createJob, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));

describe('a job payment of a company that adds PayPal fees', () => {
  it('of the online total by PayPal pays the invoice, with the fee recorded separately', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    const exceeds = {
      code: 'INVALID_INPUT',
      data: { fields: { amount: "Amount can't be more than the $115.00 due, or $118.74 by PayPal with its fee" } },
    };
    for (const payment of [{ amount: '118.74' }, { amount: '118.73', method: 'paypal' } as const])
      await expect(recordPayment(id, payment)).rejects.toMatchObject(exceeds);
    const payment = { id: randomUUID(), amount: '118.74', method: 'paypal' } as const;
    const paid = await recordPayment(id, payment);
    expect(paid).toMatchObject({
      job: { status: 'paid' },
      paid_amount: '115.00',
      request: { outstanding: '0.00', overpaid: '0.00' },
      invoice: { paid_amount: '115.00', balance: '0.00' },
      payments: [{ amount: '115.00', fee: '3.74', method: 'paypal' }],
    });
    expect(await recordPayment(id, payment)).toEqual(paid);
    const readCsvRow = async () => {
      const { body } = await test.request('GET', '/api/invoices.csv', { cookie: firm.people.admin.cookie });
      return body.split('\r\n')[1]?.split('","') ?? [];
    };
    // 'Paid', and the fee on top of it.
    expect([(await readCsvRow())[10], (await readCsvRow())[14]]).toEqual(['115.00', '3.74']);
    const reversed = await getAdmin().payments.reverse({ id: payment.id, reversal_id: randomUUID() });
    expect(reversed).toMatchObject({ paid_amount: '0.00', request: { outstanding: '115.00' } });
    expect(reversed.payments.map(({ amount, fee }) => [amount, fee])).toEqual(
      expect.arrayContaining([
        ['-115.00', '-3.74'],
        ['115.00', '3.74'],
      ]),
    );
    expect((await readCsvRow())[14]).toBe('0.00');
  });

  it('by PayPal is split with the fees of the open invoice, even if the company has changed them since', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await test.owner.query('update companies set paypal_fee_percentage = 10 where company_id = $1', [firm.companyId]);
    expect(await recordPayment(id, { amount: '118.74', method: 'paypal' })).toMatchObject({
      job: { status: 'paid' },
      payments: [{ amount: '115.00', fee: '3.74' }],
    });
  });

  it('of the whole amount by PayPal pays everything, even if a deposit with its fee costs as much', async () => {
    const { total } = calculateAmountDue('100.00', { add_paypal_fees: true, paypal_fee_percentage: null });
    const { id } = await createJob({ status: 'booked', fixed_amount: total });
    await test.owner.query('update jobs set deposit_amount = 100 where id = $1', [id]);
    expect((await getAdmin().invoices.billing({ id })).request).toMatchObject({ what: 'deposit', total, outstanding: total });
    expect(await recordPayment(id, { method: 'paypal' })).toMatchObject({
      request: { outstanding: '0.00' },
      payments: [{ amount: total, fee: '0.00' }],
    });
  });

  it('of the online total of what is left pays the rest', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await recordPayment(id, { amount: '50' });
    expect(await recordPayment(id, { amount: '67.25', method: 'paypal' })).toMatchObject({
      job: { status: 'paid' },
      payments: [
        { amount: '65.00', fee: '2.25' },
        { amount: '50.00', fee: '0.00' },
      ],
    });
  });
});
