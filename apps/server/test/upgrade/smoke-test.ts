import { randomUUID } from 'node:crypto';
import { type Contract, type ContractClient, contract } from '@callout/contract/contract';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { expect } from 'vitest';
import { buildTestEmail } from '../accounts.ts';
import { acceptAsCustomer } from '../factories/accept-quote.ts';
import { buildCustomer, buildItem, buildJob, buildProfile, buildQuote, buildSupplier } from '../factories/inputs.ts';
import { buildPdf } from '../sample-files.ts';
import { buildMultipartBody, MULTIPART_HEADERS } from '../upload.ts';

/** A firm with a record of each kind, and what is needed to read them again. */
export interface SmokeFirm {
  readonly credentials: { readonly email: string; readonly password: string };
  readonly cookie: string;
  readonly customerId: string;
  readonly jobId: string;
  readonly quoteId: string;
  readonly quoteToken: string;
  readonly invoiceToken: string;
  readonly fileId: string;
}

/** Does in a new firm what firms do every day, from the first sign-in to the payment, and checks each result. */
export async function runSmokeTest(url: string): Promise<SmokeFirm> {
  const credentials = { email: buildTestEmail(), password: 'correct horse' };
  const visitor = createClient(url);
  await visitor.auth.signUp(credentials);
  const cookie = await signIn(url, credentials);
  const client = createClient(url, cookie);
  const { user } = await client.company.completeOnboarding(buildProfile());
  const customer = buildCustomer();
  await expectChange({ url, cookie, topic: 'customers' }, () => client.customers.create(customer));
  const jobId = await bookJob(client, customer.id, user.staff_id ?? '');
  await workOnJob(client, jobId);
  const fileId = await commentWithFile(url, cookie, client, jobId);
  const { quoteId, quoteToken } = await winQuote(client, visitor, customer.id);
  const invoiceToken = await billJob(client, visitor, jobId);
  return { credentials, cookie, customerId: customer.id, jobId, quoteId, quoteToken, invoiceToken, fileId };
}

/** Reads everything that the smoke test stored. */
export async function readSmokeFirm(url: string, firm: SmokeFirm, cookie = firm.cookie) {
  const { company, customers, jobs, quotes, comments, invoices, payments, publicQuotes, publicInvoices } = createClient(url, cookie);
  const file = await fetch(`${url}/api/files/${firm.fileId}`, { headers: { cookie } });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(buildPdf());
  return withoutServerTime({
    profile: (await company.me()).profile,
    customer: await customers.get({ id: firm.customerId }),
    jobs: (await jobs.list({})).rows,
    job: await jobs.get({ id: firm.jobId }),
    quote: await quotes.get({ id: firm.quoteId }),
    comments: await comments.list({ job_id: firm.jobId }),
    billing: await invoices.billing({ id: firm.jobId }),
    payments: await payments.list({}),
    publicQuote: await publicQuotes.get({ token: firm.quoteToken }),
    publicInvoice: await publicInvoices.get({ token: firm.invoiceToken }),
  });
}

const withoutServerTime = (records: object) =>
  JSON.parse(JSON.stringify(records, (key, value: unknown) => (key === 'server_time' ? undefined : value))) as object;

export async function signIn(url: string, credentials: SmokeFirm['credentials']): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  expect(response.status, await response.text()).toBe(200);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

function createClient(url: string, cookie = ''): ContractClient {
  return createORPCClient<ContractRouterClient<Contract>>(new OpenAPILink(contract, { url: `${url}/api`, headers: { cookie } }));
}

/** Expects the work to reach an open page as a live update. */
async function expectChange(
  { url, cookie, topic }: { readonly url: string; readonly cookie: string; readonly topic: string },
  work: () => Promise<unknown>,
): Promise<void> {
  const response = await fetch(`${url}/api/live`, { headers: { cookie } });
  await work();
  let received = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk;
    if (received.includes(`"${topic}"`)) return;
  }
  throw new Error(`The live stream ended without a change of ${topic}: ${received}`);
}

async function bookJob({ suppliers, items, jobs }: ContractClient, customerId: string, staffId: string): Promise<string> {
  const { id } = await jobs.create(buildJob({ customer_id: customerId, staff_id: staffId }));
  const { id: supplier_id } = await suppliers.create(buildSupplier());
  const { id: itemId } = await items.create(buildItem({ supplier_id }));
  const job = await jobs.addItems({
    job_id: id,
    lines: [{ id: randomUUID(), supplier_item_id: itemId, quantity: 2, unit_price: '57.50' }],
  });
  expect(job).toMatchObject({ totals: { total_amount: '115.00' } });
  return id;
}

async function workOnJob({ timer, jobs }: ContractClient, jobId: string): Promise<void> {
  await timer.start({ id: randomUUID(), job_id: jobId });
  expect((await timer.active()).timer).toMatchObject({ job_id: jobId, timer_status: 'started' });
  await timer.pause({ job_id: jobId });
  expect((await timer.active()).timer).toMatchObject({ timer_status: 'paused' });
  await jobs.setStatus({ id: jobId, status: 'complete' });
}

async function commentWithFile(url: string, cookie: string, { comments }: ContractClient, jobId: string): Promise<string> {
  const id = randomUUID();
  const headers = { ...MULTIPART_HEADERS, cookie };
  const upload = await fetch(`${url}/api/files/${id}`, {
    method: 'PUT',
    headers,
    body: new Uint8Array(buildMultipartBody('plan.pdf', buildPdf())),
  });
  expect(upload.status, await upload.text()).toBeLessThan(300);
  await comments.add({ id: randomUUID(), job_id: jobId, content: 'The plan', file_ids: [id] });
  expect((await comments.list({ job_id: jobId })).rows).toMatchObject([{ content: 'The plan', attachments: [{ id }] }]);
  return id;
}

async function winQuote({ quotes }: ContractClient, visitor: ContractClient, customerId: string) {
  const quote = await quotes.create(buildQuote({ customer_id: customerId }));
  const quoteToken = quote.public_path.replace('/quote/', '');
  await acceptAsCustomer(visitor, { token: quoteToken, selected_option_ids: quote.sections.map(({ id }) => id) });
  expect(await quotes.get({ id: quote.id })).toMatchObject({ status: 'accepted' });
  return { quoteId: quote.id, quoteToken };
}

async function billJob({ invoices, payments }: ContractClient, { publicInvoices }: ContractClient, jobId: string): Promise<string> {
  const { billing } = await invoices.send({ id: jobId, mail_id: randomUUID(), by_hand: true });
  const token = billing.public_path.replace('/invoice/', '');
  const paid = await payments.record({ id: randomUUID(), job_id: jobId, amount: '115' });
  expect(paid).toMatchObject({ request: { outstanding: '0.00' } });
  expect(await publicInvoices.get({ token })).toMatchObject({ state: 'paid', paid_amount: '115.00' });
  return token;
}
