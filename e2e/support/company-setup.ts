import { randomUUID } from 'node:crypto';
import type { Credentials } from '@callout/contract/auth';
import type { Me, Onboarding } from '@callout/contract/company';
import type { Customer, NewCustomer } from '@callout/contract/customers';
import type { NewItem } from '@callout/contract/items';
import type { QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import type { Supplier } from '@callout/contract/suppliers';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { getMailLink, waitForMail } from './mailbox.ts';
import { getRunningServer } from './running-server.ts';

/** A page or context with a session. Prefer a context if the test displays nothing: opening a page takes as long as ten API calls. */
export type ApiClient = Pick<Page | BrowserContext, 'request'>;

/** Calls the API with the client's session. Use this to prepare a test, never for the behavior under test. */
export async function callApi<Output>(
  { request }: ApiClient,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<Output> {
  const response = await request.fetch(`${getRunningServer().url}/api${path}`, {
    method,
    headers: { origin: getRunningServer().url },
    ...(data && { data }),
  });
  expect(response.ok(), `${method} ${path} returned ${response.status()}: ${await response.text()}`).toBe(true);
  return (await response.json()) as Output;
}

export function createCredentials(): Credentials {
  return { email: `person-${randomUUID()}@example.com`, password: 'correct horse battery' };
}

/** Creates an account and signs in, because signing up alone doesn't start a session. */
export async function signUp(client: ApiClient, credentials = createCredentials()): Promise<Credentials> {
  await callApi(client, 'POST', '/auth/sign-up', credentials);
  await signIn(client, credentials);
  return credentials;
}

export async function signIn(client: ApiClient, credentials: Credentials): Promise<void> {
  await callApi(client, 'POST', '/auth/sign-in', credentials);
}

/** Confirms the user's email address through the emailed link. Without this, the user can't invite others. */
export async function confirmEmail(client: ApiClient): Promise<void> {
  const { user, must_confirm_email } = await callApi<Me>(client, 'GET', '/me');
  if (!must_confirm_email) return;
  await callApi(client, 'POST', '/me/email-confirmation');
  const link = new URL(getMailLink(await waitForMail(user.email, /^Confirm your email for/)), getRunningServer().url);
  await callApi(client, 'POST', '/auth/confirm-email', { token: link.searchParams.get('token') });
}

const COMPANY_ZONE = 'Pacific/Auckland';

/** Returns today's date in the company's time zone. */
export const getToday = () => toLocalDate(new Date().toISOString(), COMPANY_ZONE);
/** Returns `time` on today's date as an instant. An offset from the current time could fall on tomorrow if tests run in the evening. */
export const todayAt = (time: string) => toInstant(getToday(), time, COMPANY_ZONE);

/** Creates the signed-in user's company and completes its profile. */
export function completeOnboarding(client: ApiClient, profile: Partial<Onboarding> = {}): Promise<Me> {
  return callApi(client, 'POST', '/company/onboarding', {
    company_name: 'Harbour Plumbing',
    phone: '+64 9 555 0100',
    gst_number: '123-456-789',
    gst_percentage: '15',
    paypal_email: 'accounts@example.com',
    currency: 'NZD',
    timezone: COMPANY_ZONE,
    ...profile,
  });
}

/** Creates an account with a company and signs in. Most tests start with this. */
export async function signUpCompany(client: ApiClient, profile?: Partial<Onboarding>): Promise<Credentials> {
  const credentials = await signUp(client);
  await completeOnboarding(client, profile);
  return credentials;
}

export function addCustomer(client: ApiClient, fields: Partial<NewCustomer> = {}): Promise<Customer> {
  return callApi(client, 'POST', '/customers', {
    id: randomUUID(),
    type: 'individual',
    name: 'Mere Tamihana',
    email: 'mere@example.com',
    phone: '+64 21 555 0101',
    address: '12 Wharf Street, Auckland',
    ...fields,
  });
}

export function addSupplier(client: ApiClient, company_name = 'Harbour Pipes'): Promise<Supplier> {
  return callApi(client, 'POST', '/suppliers', { id: randomUUID(), company_name });
}

/** Adds an item that costs 100.00 excluding GST. */
export async function addItem(
  client: ApiClient,
  supplier_id: string,
  fields: Partial<NewItem> & Pick<NewItem, 'name' | 'sku'>,
): Promise<void> {
  const price = { cost_price: '70', pricing_method: 'fixed', fixed_price: '100', tax_inclusive: false, is_service: false };
  await callApi(client, 'POST', '/items', { id: randomUUID(), supplier_id, ...price, ...fields });
}

/** Builds a line of 90.00 excluding GST. */
export function buildQuoteLine(name: string, fields: Partial<QuoteLineInput> = {}): QuoteLineInput {
  const price = { tax_inclusive: false, is_service: true, quantity: '1', unit_price: '90' };
  return { id: randomUUID(), supplier_item_id: null, name, description: null, ...price, ...fields };
}

/** Builds a section with a single line, both called `name`. */
export function buildQuoteSection(name: string, fields: Partial<QuoteSectionInput> = {}): QuoteSectionInput {
  return { id: randomUUID(), name, description: null, always_required: true, items: [buildQuoteLine(name)], ...fields };
}

export function addQuote(client: ApiClient, customer_id: string, title: string, sections: readonly QuoteSectionInput[]): Promise<Quote> {
  const texts = { title, description: null, valid_until: null };
  return callApi(client, 'POST', '/quotes', { id: randomUUID(), customer_id, ...texts, sections, attachment_ids: [] });
}

/** Opens a page and waits until its live connection is open, so that the page shows all later changes. */
export async function openLivePage(page: Page, path: string): Promise<void> {
  const connected = page.waitForResponse(/\/api\/live\b/);
  await page.goto(path);
  await connected;
}

/** Navigates within the app, as a link does. Unlike `page.goto`, this doesn't reload the app. */
export async function navigateInApp(page: Page, path: string): Promise<void> {
  await page.locator('html[data-started]').waitFor();
  await page.evaluate((to) => window.history.pushState({}, '', to), path);
}
