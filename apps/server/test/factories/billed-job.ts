import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import type { Job } from '@callout/contract/jobs';
import type { TestApp } from '../test-app.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier, type NewJobInput } from './inputs.ts';
import type { Firm } from './people.ts';

export async function readStaffId({ app }: Pick<TestApp, 'app'>, { companyId }: Firm, role = 'staff'): Promise<string> {
  const { rows } = await app.platform.pools.system.query<{ id: string }>(
    'select id from staff_members where company_id = $1 and role = $2 and profile_id is not null',
    [companyId, role],
  );
  return rows[0]?.id ?? '';
}

/** Creates a job assigned to the firm's staff member. Also creates a customer, unless `overrides` specifies one. */
export async function createFirmJob(test: Pick<TestApp, 'app'>, firm: Firm, overrides: Partial<NewJobInput> = {}): Promise<Job> {
  const { customers, jobs } = firm.people.admin.client;
  const customer_id = overrides.customer_id ?? (await customers.create(buildCustomer())).id;
  return jobs.create(buildJob({ staff_id: await readStaffId(test, firm), ...overrides, customer_id }));
}

export interface BilledLineInput {
  readonly unit_price: string;
  readonly quantity?: number;
  readonly tax_inclusive?: boolean;
}

type BilledJobInput = Partial<NewJobInput> & { readonly lines?: readonly BilledLineInput[] };

/** Creates a completed job with a fixed price of 115.00 including tax. `lines` adds price list items. */
export async function createBilledJob(
  test: Pick<TestApp, 'app'>,
  firm: Firm,
  { lines = [], ...overrides }: BilledJobInput = {},
): Promise<Job> {
  const { suppliers, items, jobs } = firm.people.admin.client;
  const job = await createFirmJob(test, firm, { status: 'complete', fixed_amount: '115', ...overrides });
  if (lines.length === 0) return job;
  const { id: supplier_id } = await suppliers.create(buildSupplier());
  for (const { unit_price, quantity = 1, tax_inclusive = true } of lines) {
    const item = await items.create(buildItem({ supplier_id, tax_inclusive }));
    const line = { id: randomUUID(), supplier_item_id: item.id, quantity, unit_price };
    await jobs.addItems({ job_id: job.id, lines: [line], fixed_price: 'replace' });
  }
  return jobs.get({ id: job.id });
}

/** Creates a job with an invoice, a payment and an invoice email, and returns their ids. */
export async function createBilledJobWithPayment(test: Pick<TestApp, 'app'>, firm: Firm, customerId: string) {
  const { invoices, payments } = firm.people.admin.client;
  const { id: billedJobId } = await createBilledJob(test, firm, { customer_id: customerId });
  const { billing } = await invoices.send({ id: billedJobId, mail_id: randomUUID(), by_hand: true });
  const [paymentId, invoiceMailId] = [randomUUID(), randomUUID()];
  await payments.record({ id: paymentId, job_id: billedJobId, amount: '15' });
  await invoices.send({ id: billedJobId, mail_id: invoiceMailId });
  return { billedJobId, invoiceId: billing.invoice?.id ?? '', paymentId, invoiceMailId };
}

/** Returns helpers that bill jobs as the firm's admin. They call `getContext` every time, because each test creates a new firm. */
export function createBillingHelpers(getContext: () => { readonly test: Pick<TestApp, 'app'>; readonly firm: Firm }) {
  const getAdmin = () => getContext().firm.people.admin.client;
  return {
    getAdmin,
    createJob: (overrides: BilledJobInput = {}) => createBilledJob(getContext().test, getContext().firm, overrides),
    sendInvoice: async (id: string, content_hash?: string) =>
      (await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true, ...(content_hash !== undefined && { content_hash }) }))
        .billing,
    recordPayment: (job_id: string, overrides: Partial<ContractInputs['payments']['record']> = {}) =>
      getAdmin().payments.record({ id: randomUUID(), job_id, ...overrides }),
  };
}
