import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import type { Job } from '@callout/contract/jobs';
import type { TestApp } from '../test-app.ts';
import { type NewJobInput, newCustomer, newItem, newJob, newSupplier } from './inputs.ts';
import type { Firm } from './people.ts';

export async function staffIdOf({ app }: Pick<TestApp, 'app'>, { companyId }: Firm, role = 'staff'): Promise<string> {
  const { rows } = await app.platform.pools.system.query<{ id: string }>(
    'select id from staff_members where company_id = $1 and role = $2 and profile_id is not null',
    [companyId, role],
  );
  return rows[0]?.id ?? '';
}

/** For the firm's staff member and a new customer, unless the test says otherwise. */
export async function addFirmJob(test: Pick<TestApp, 'app'>, firm: Firm, over: Partial<NewJobInput> = {}): Promise<Job> {
  const { customers, jobs } = firm.people.admin.client;
  const customer_id = over.customer_id ?? (await customers.create(newCustomer())).id;
  return jobs.create(newJob({ staff_id: await staffIdOf(test, firm), ...over, customer_id }));
}

export interface SoldLine {
  readonly unit_price: string;
  readonly quantity?: number;
  readonly tax_inclusive?: boolean;
}

type BilledJobInput = Partial<NewJobInput> & { readonly lines?: readonly SoldLine[] };

/** A complete job that costs 115.00 with its tax, unless the test says otherwise. */
export async function addBilledJob(test: Pick<TestApp, 'app'>, firm: Firm, { lines = [], ...over }: BilledJobInput = {}): Promise<Job> {
  const { suppliers, items, jobs } = firm.people.admin.client;
  const job = await addFirmJob(test, firm, { status: 'complete', fixed_amount: '115', ...over });
  if (lines.length === 0) return job;
  const { id: supplier_id } = await suppliers.create(newSupplier());
  for (const { unit_price, quantity = 1, tax_inclusive = true } of lines) {
    const item = await items.create(newItem({ supplier_id, tax_inclusive }));
    await jobs.addItem({ id: randomUUID(), job_id: job.id, supplier_item_id: item.id, quantity, unit_price });
  }
  return jobs.get({ id: job.id });
}

/** What its administrator does with the jobs and bills of a firm; `here` is asked at every call, because every test has a firm of its own. */
export function billingOf(here: () => { readonly test: Pick<TestApp, 'app'>; readonly firm: Firm }) {
  const admin = () => here().firm.people.admin.client;
  return {
    admin,
    addJob: (over: BilledJobInput = {}) => addBilledJob(here().test, here().firm, over),
    send: async (id: string, content_hash?: string) =>
      (await admin().invoices.send({ id, mail_id: randomUUID(), by_hand: true, ...(content_hash !== undefined && { content_hash }) }))
        .billing,
    pay: (job_id: string, over: Partial<ContractInputs['payments']['record']> = {}) =>
      admin().payments.record({ id: randomUUID(), job_id, ...over }),
  };
}
