import { sql } from 'drizzle-orm';
import { type EffectContext, getDatabase } from './tenant-scope.ts';

/**
 * Serializes changes to a company's staff, files, logo, categories, quotes, quote answers, invoices and payments, and deletions of its
 * customers, until the transaction ends. Other records can still be added. Returns false if the company doesn't exist. To prevent
 * deadlocks, take locks in this order: company, staff, logins; for work: company, customer, quote, supplier items, job numbers; for money:
 * company, job, invoice numbers.
 */
export async function lockCompany(context: EffectContext, companyId: string): Promise<boolean> {
  const { rowCount } = await getDatabase(context).execute(sql`select from companies where company_id = ${companyId} for no key update`);
  return rowCount === 1;
}
