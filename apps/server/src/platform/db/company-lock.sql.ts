import { sql } from 'drizzle-orm';
import { databaseOf, type EffectContext } from './tenant-scope.ts';

/**
 * Serializes changes to a company's staff, files, logo, categories and quotes, answers to quotes, invoices and payments, and deletions of
 * customers, until the transaction ends; other records can still be added. False when there is no such company. Lock order: company, staff,
 * logins; and for work: company, customer, quote, supplier items, job numbers; and for money: company, job, invoice numbers. Any other
 * order could deadlock.
 */
export async function lockCompany(context: EffectContext, companyId: string): Promise<boolean> {
  const { rowCount } = await databaseOf(context).execute(sql`select from companies where company_id = ${companyId} for no key update`);
  return rowCount === 1;
}
