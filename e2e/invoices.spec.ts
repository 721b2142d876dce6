import { readFile } from 'node:fs/promises';
import type { Me } from '@callout/contract/company';
import type { Billing } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { Page } from '@playwright/test';
import { addCustomer, callApi, confirmEmail, navigateInApp, signUpCompany } from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { getMailLink, listMailsTo, waitForMail } from './support/mailbox.ts';
import { readPdf } from './support/pdf-text.ts';
import { createDevicePage } from './support/staff-setup.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds a complete job that costs 115.00 including GST, for a customer with an email address. */
async function addCompleteJob(page: Page): Promise<{ job: Job; email: string }> {
  await signUpCompany(page);
  await confirmEmail(page);
  const email = `anna-${crypto.randomUUID()}@example.com`;
  const customer = await addCustomer(page, { name: 'Anna Pereira', email });
  const { user } = await callApi<Me>(page, 'GET', '/me');
  const job = await callApi<Job>(page, 'POST', '/jobs', {
    id: crypto.randomUUID(),
    customer_id: customer.id,
    title: 'Kitchen mixer replacement',
    description: 'New mixer, old one taken away.',
    category_ids: [],
    staff_id: user.staff_id,
    booking_date: '2026-11-10T20:00:00.000Z',
    duration: '2',
    job_type: 'fixed',
    fixed_amount: '115',
    status: 'complete',
  });
  return { job, email };
}

test('an invoice can be emailed and paid in two parts, and its public page shows the balance', { tag: '@phone-only' }, async ({
  page,
  browser,
}) => {
  const { job, email } = await addCompleteJob(page);
  await page.goto(`/jobs/${job.id}`);
  await page.getByRole('link', { name: 'Payment', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  await expect(page.getByText('$115.00').first()).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Send Payment Email').click();
  await expect(page.getByText(/^Sending INV-\d{4}-0001 to /)).toBeVisible();

  const mail = await waitForMail(email, new RegExp(`^Invoice #${job.job_number}`));
  expect(listMailsTo(email)).toHaveLength(1);
  const [file] = mail.attachments;
  expect(file).toMatchObject({ type: 'application/pdf' });
  const { text } = await readPdf(Buffer.from(file?.content ?? '', 'base64'));
  for (const words of ['Tax Invoice', '123-456-789', `#${job.job_number}`, 'Anna Pereira', '100.00', '15.00', '$115.00']) {
    expect(text).toContain(words);
  }

  const customer = await createDevicePage(browser);
  await customer.setViewportSize({ width: 390, height: 844 });
  await customer.goto(getMailLink(mail));
  await expect(customer.getByRole('heading', { name: 'Kitchen mixer replacement' })).toBeVisible();
  await expect(customer.getByRole('link', { name: 'Pay $115.00' }).first()).toBeVisible();
  await expectAccessible(customer);

  // Record a partial payment, then mark the remaining amount as paid.
  await button(page, 'Record payment…').click();
  const dialog = page.getByRole('dialog', { name: 'Record payment' });
  await dialog.getByLabel('Amount').fill('50');
  await dialog.getByLabel('Amount').press('Enter');
  await expect(page.getByText('Payment recorded')).toBeVisible();
  await customer.reload();
  await expect(customer.getByRole('link', { name: 'Pay $65.00' }).first()).toBeVisible();
  await button(page, 'Mark as Paid').click();
  await expect(page.getByText('Job marked as paid')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/jobs/${job.id}$`));
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
  await customer.reload();
  await expect(customer.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(customer.getByRole('link', { name: /^Pay / })).toHaveCount(0);

  await navigateInApp(page, '/invoices');
  await expect(page.getByText(/^INV-\d{4}-0001$/).first()).toBeVisible();

  // Reverse the second payment, and find all three entries in the list of payments and in its export.
  await page.goto(`/jobs/${job.id}/payment`);
  await button(page, 'More actions for the payment of 65.00').click();
  await page.getByRole('menuitem', { name: 'Reverse payment' }).click();
  await button(page, 'Reverse payment').click();
  await expect(page.getByText('Payment reversed')).toBeVisible();
  await navigateInApp(page, '/invoices/payments');
  await expect(page.getByText('2 payments, 1 reversal')).toBeVisible();
  await expect(page.getByLabel('List totals').getByText('$50.00')).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export CSV' }).click()]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.trim().split('\n').length).toBe(4);
});

test('a job changed after billing gets a corrected invoice, which replaces the first one on the public page', async ({ page, browser }) => {
  const { job } = await addCompleteJob(page);
  await callApi(page, 'POST', `/jobs/${job.id}/invoices`, { mail_id: crypto.randomUUID(), by_hand: true });
  const { public_path, job: billed } = await callApi<Billing>(page, 'GET', `/jobs/${job.id}/billing`);
  expect(billed.status).toBe('invoiced');
  const { version, title, description, booking_date, duration, staff_id } = await callApi<Job>(page, 'GET', `/jobs/${job.id}`);
  const fields = { title, description, booking_date, duration, staff_id, category_ids: [], status: 'invoiced', fixed_amount: '138.66' };
  await callApi(page, 'PUT', `/jobs/${job.id}`, { version, ...fields });

  await page.goto(`/jobs/${job.id}/payment`);
  await expect(page.getByText(/^Differs from the invoice sent on /)).toBeVisible();
  const customer = await createDevicePage(browser);
  await customer.goto(public_path);
  await expect(customer.getByText('$115.00').first()).toBeVisible();
  await button(page, 'Send corrected invoice').click();
  await expect(page.getByText(/^Sending INV-\d{4}-0002 to /)).toBeVisible();
  await expect(page.getByText(/^Differs from the invoice sent on /)).toHaveCount(0);
  await customer.reload();
  await expect(customer.getByText('$138.66').first()).toBeVisible();

  await navigateInApp(page, '/invoices');
  await expect(page.getByText('2 invoices, 1 credit note')).toBeVisible();
  await expect(page.getByText(/^CN-\d{4}-0001$/).first()).toBeVisible();
});
