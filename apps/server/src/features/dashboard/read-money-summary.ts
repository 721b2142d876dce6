import type { ContractOutputs } from '@callout/contract/contract';
import { sumMoney } from '@callout/domain/money/money';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readInvoiceSummary, readUnsentInvoices } from '../invoices/invoice-list.sql.ts';
import { readUninvoicedWork } from './dashboard.sql.ts';

/** Reads what customers owe, as in the invoice list, what of it isn't sent, and the total of complete jobs that aren't invoiced yet. */
export async function readMoneySummary(scope: TenantScope): Promise<ContractOutputs['dashboard']['money']> {
  const { currency, timezone, uninvoiced } = await readUninvoicedWork(scope);
  const { outstanding, ages, filters } = await readInvoiceSummary(scope, {}, toLocalDate(scope.now, timezone));
  const late = ages.filter(({ age }) => age !== 'current');
  return {
    currency,
    outstanding: { amount: outstanding.amount, invoices: outstanding.count },
    overdue: { amount: sumMoney(late.map(({ amount }) => amount)), invoices: filters.overdue },
    unsent: await readUnsentInvoices(scope),
    uninvoiced,
  };
}
