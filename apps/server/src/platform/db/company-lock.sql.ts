import { sql } from 'drizzle-orm';
import { type EffectContext, getDatabase } from './tenant-scope.ts';

/**
 * Locks the company until the transaction ends. Changes to its staff, files, logo, categories, quotes, quote answers, invoices and
 * payments, and deletions of its customers, then run one at a time. Other records can still be added. Returns false if the company doesn't
 * exist. To prevent deadlocks, take locks in one of these orders: company, staff, logins; company, customer, quote, supplier items, job
 * numbers; company, job, invoice numbers.
 */
export async function lockCompany(context: EffectContext, companyId: string): Promise<boolean> {
  const { rowCount } = await getDatabase(context).execute(sql`select from companies where company_id = ${companyId} for no key update`);
  return rowCount === 1;
}
