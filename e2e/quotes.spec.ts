import type { Browser, Page } from '@playwright/test';
import {
  addCustomer,
  addItem,
  addQuote,
  addSupplier,
  buildQuoteLine,
  buildQuoteSection,
  confirmEmail,
  navigateInApp,
  openLivePage,
  signUpCompany,
} from './support/company-setup.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { getMailLink, listMailsTo, waitForMail } from './support/mailbox.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Creates a company with a price list and a customer with an email address. */
async function signUpCompanyWithPriceList(page: Page): Promise<{ customerId: string; email: string }> {
  await signUpCompany(page);
  await confirmEmail(page);
  const email = `helen-${crypto.randomUUID()}@example.com`;
  const { id } = await addCustomer(page, { name: 'Helen Faleolo', email });
  const supplier = await addSupplier(page, 'Harbour Pipes');
  await addItem(page, supplier.id, { name: 'Gas water heater', sku: 'GWH', fixed_price: '2000' });
  await addItem(page, supplier.id, { name: 'Heated towel rail', sku: 'RAIL', fixed_price: '400' });
  await addItem(page, supplier.id, { name: 'Garden tap', sku: 'TAP', fixed_price: '90', tax_inclusive: true });
  return { customerId: id, email };
}

async function addSection(page: Page, name: string): Promise<void> {
  await page.getByLabel('New section', { exact: true }).fill(name);
  await page.getByLabel('New section', { exact: true }).press('Enter');
  await expect(page.getByRole('combobox', { name: `Add an item to ${name}` })).toBeVisible();
}

async function pickItem(page: Page, section: string, search: string): Promise<void> {
  const field = page.getByRole('combobox', { name: `Add an item to ${section}` });
  await field.fill(search);
  await expect(page.getByRole('option', { name: new RegExp(search, 'i') }).first()).toBeVisible();
  await field.press('Enter');
  await expect(field).toHaveValue('');
}

async function openCustomerPhone(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    ...(baseURL !== undefined && { baseURL }),
  });
  return context.newPage();
}

test('a quote can be created and emailed, and becomes a job when the customer accepts it with selected options', async ({
  page,
  browser,
  baseURL,
}) => {
  const { customerId, email } = await signUpCompanyWithPriceList(page);
  await page.goto(`/quotes/new?customer=${customerId}`);
  await page.getByLabel('Title', { exact: true }).fill('Gas hot water and bathroom heating');
  await pickItem(page, 'Items & Services', 'heater');
  await page.getByLabel('Items & Services is required').check();
  await addSection(page, 'Towel rails');
  await pickItem(page, 'Towel rails', 'rail');
  await button(page, 'Increase quantity of Heated towel rail').click();
  await addSection(page, 'Outdoor tap');
  await pickItem(page, 'Outdoor tap', 'tap');
  // The total of 2,000 and 2 × 400 excluding GST, plus 90 including GST.
  await expect(page.getByText('$3,310.00').first()).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByText('Your unsaved changes were restored.').first()).toBeVisible();
  await expect(page.getByLabel('Quantity of Heated towel rail', { exact: true })).toHaveValue('2');
  await button(page, 'Create Quote').click();
  await expect(page.getByText('Quote created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Gas hot water and bathroom heating' })).toBeVisible();

  await button(page, 'Send Quote').click();
  const dialog = page.getByRole('dialog', { name: 'Send Quote' });
  await expect(dialog.getByLabel('To')).toHaveValue(email);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Email sent successfully')).toBeVisible();
  const mail = await waitForMail(email, /^Quote Q\d{6}/);
  expect(mail.text).toContain('Helen Faleolo');
  expect(listMailsTo(email)).toHaveLength(1);

  const customer = await openCustomerPhone(browser, baseURL);
  await customer.goto(getMailLink(mail));
  await expect(customer.getByRole('heading', { name: 'Gas hot water and bathroom heating' })).toBeVisible();
  await expect(customer.getByText('Please select at least one optional service above before accepting')).toBeVisible();
  await customer.getByRole('checkbox', { name: /Towel rails/ }).click();
  const accept = customer.getByRole('button', { name: 'Accept Quote - $3,220.00' }).first();
  await expectAccessible(customer);
  await accept.click();
  await expect(customer.getByRole('heading', { name: 'Quote Accepted!' })).toBeVisible();
  await expect(customer.getByText(/ACCEPTED TOTAL:/)).toBeVisible();

  // The office must see the acceptance and the new job without a reload.
  await expect(page.getByText('Accepted', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'View Job' }).click();
  await expect(page.getByRole('heading', { name: 'Gas hot water and bathroom heating' })).toBeVisible();
  await expect(page.getByText('$3,220.00').first()).toBeVisible();
  await navigateInApp(page, '/jobs');
  await expect(page.getByRole('link', { name: /Gas hot water/ })).toContainText('Pending');

  // The public page must still show the accepted quote after a reload.
  await customer.reload();
  await expect(customer.getByRole('heading', { name: 'Quote Accepted!' })).toBeVisible();
  await expect(customer.getByRole('button', { name: /^Accept Quote/ })).toHaveCount(0);
});

test('a quote that was rejected in one tab cannot be accepted in an outdated tab', async ({ page, browser, baseURL }) => {
  await signUpCompany(page);
  const { id: customer_id } = await addCustomer(page);
  const items = [buildQuoteLine('Garden tap', { tax_inclusive: true })];
  const { id, public_path } = await addQuote(page, customer_id, 'New tap', [buildQuoteSection('Taps', { items })]);

  const [first, second] = [await openCustomerPhone(browser, baseURL), await openCustomerPhone(browser, baseURL)];
  for (const tab of [first, second]) {
    await tab.goto(public_path);
    await expect(tab.getByRole('button', { name: 'Accept Quote - $90.00' }).first()).toBeVisible();
  }
  await openLivePage(page, `/quotes/${id}`);
  await expect(page.getByRole('link', { name: 'Preview' })).toHaveAttribute('href', public_path);
  await first.getByRole('button', { name: 'Not Interested' }).click();
  await first.getByRole('button', { name: 'Decline' }).click();
  await expect(first.getByText('Quote Rejected', { exact: true })).toBeVisible();
  await expect(page.getByText('Rejected', { exact: true }).first()).toBeVisible();
  await second.getByRole('button', { name: 'Accept Quote - $90.00' }).first().click();
  await expect(second.getByText(/was rejected/)).toBeVisible();
  await expect(second.getByRole('button', { name: /^Accept Quote/ })).toHaveCount(0);
});
