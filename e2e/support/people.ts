import { randomUUID } from 'node:crypto';
import type { Credentials } from '@callout/contract/auth';
import type { Me, Onboarding } from '@callout/contract/company';
import type { Customer, NewCustomer } from '@callout/contract/customers';
import type { NewItem } from '@callout/contract/items';
import type { QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import type { Supplier } from '@callout/contract/suppliers';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { linkIn, mailTo } from './mailbox.ts';
import { product } from './running-product.ts';

/** Somebody with a session: who shows nothing needs no page, which takes as long as ten calls. */
export type Person = Pick<Page | BrowserContext, 'request'>;

/** A call made on behalf of the page, with its session: for what a test needs before it starts, never for what it shows. */
export async function call<Answer>(
  { request }: Person,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<Answer> {
  const response = await request.fetch(`${product().url}/api${path}`, {
    method,
    headers: { origin: product().url },
    ...(data && { data }),
  });
  expect(response.ok(), `${method} ${path} answered ${response.status()}: ${await response.text()}`).toBe(true);
  return (await response.json()) as Answer;
}

export function somebody(): Credentials {
  return { email: `person-${randomUUID()}@example.com`, password: 'correct horse battery' };
}

/** Makes an account and signs the page in to it: creating one does not. */
export async function signUp(person: Person, credentials = somebody()): Promise<Credentials> {
  await call(person, 'POST', '/auth/sign-up', credentials);
  await signIn(person, credentials);
  return credentials;
}

export async function signIn(person: Person, credentials: Credentials): Promise<void> {
  await call(person, 'POST', '/auth/sign-in', credentials);
}

/** Opens the link that is mailed to the person's own address: only then do they invite others. */
export async function confirmEmail(person: Person): Promise<void> {
  const { user, must_confirm_email } = await call<Me>(person, 'GET', '/me');
  if (!must_confirm_email) return;
  await call(person, 'POST', '/me/email-confirmation');
  const link = new URL(linkIn(await mailTo(user.email, /^Confirm your email address/)), product().url);
  await call(person, 'POST', '/auth/confirm-email', { token: link.searchParams.get('token') });
}

const COMPANY_ZONE = 'Pacific/Auckland';

/** In the zone of the company. */
export const today = () => localDate(new Date().toISOString(), COMPANY_ZONE);
/** Counted from now, what takes hours would reach into tomorrow when the tests run in the evening. */
export const todayAt = (time: string) => zonedInstant(today(), time, COMPANY_ZONE);

/** Makes the company of a signed-in person with its profile. */
export function onboard(person: Person, profile: Partial<Onboarding> = {}): Promise<Me> {
  return call(person, 'POST', '/company/onboarding', {
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

/** The usual start: an account with a company, signed in. */
export async function startCompany(person: Person, profile?: Partial<Onboarding>): Promise<Credentials> {
  const credentials = await signUp(person);
  await onboard(person, profile);
  return credentials;
}

export function addCustomer(person: Person, fields: Partial<NewCustomer> = {}): Promise<Customer> {
  return call(person, 'POST', '/customers', {
    id: randomUUID(),
    type: 'individual',
    name: 'Mere Tamihana',
    email: 'mere@example.com',
    phone: '+64 21 555 0101',
    address: '12 Wharf Street, Auckland',
    ...fields,
  });
}

export function addSupplier(person: Person, company_name = 'Harbour Pipes'): Promise<Supplier> {
  return call(person, 'POST', '/suppliers', { id: randomUUID(), company_name });
}

/** Of 100.00 exc GST. */
export async function addItem(
  person: Person,
  supplier_id: string,
  fields: Partial<NewItem> & Pick<NewItem, 'name' | 'sku'>,
): Promise<void> {
  const price = { cost_price: '70', pricing_method: 'fixed', fixed_price: '100', tax_inclusive: false, is_service: false };
  await call(person, 'POST', '/items', { id: randomUUID(), supplier_id, ...price, ...fields });
}

/** Of 90.00 exc GST. */
export function quoteLine(name: string, fields: Partial<QuoteLineInput> = {}): QuoteLineInput {
  const price = { tax_inclusive: false, is_service: true, quantity: '1', unit_price: '90' };
  return { id: randomUUID(), supplier_item_id: null, name, description: null, ...price, ...fields };
}

/** With a line of the same name. */
export function quoteSection(name: string, fields: Partial<QuoteSectionInput> = {}): QuoteSectionInput {
  return { id: randomUUID(), name, description: null, always_required: true, items: [quoteLine(name)], ...fields };
}

export function addQuote(person: Person, customer_id: string, title: string, sections: readonly QuoteSectionInput[]): Promise<Quote> {
  const texts = { title, description: null, valid_until: null };
  return call(person, 'POST', '/quotes', { id: randomUUID(), customer_id, ...texts, sections, attachment_ids: [] });
}

/** Opens a page and waits for its live connection: until then it would not hear what others change. */
export async function openListening(page: Page, path: string): Promise<void> {
  const connected = page.waitForResponse(/\/api\/live\b/);
  await page.goto(path);
  await connected;
}

/** Goes to a page as its link would: unlike with page.goto, the application does not start again. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.locator('html[data-started]').waitFor();
  await page.evaluate((to) => window.history.pushState({}, '', to), path);
}
