import type { ContractOutputs } from '@callout/contract/contract';
import { sumMoney } from '@callout/domain/money/money';
import { localDate } from '@callout/domain/time/zoned-time';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readSummary } from '../invoices/invoice-list.sql.ts';
import { readUninvoicedWork } from './dashboard.sql.ts';

/** What customers owe, as the list of invoices sums it, and what complete jobs without an open invoice would be billed. */
export async function readMoney(scope: TenantScope): Promise<ContractOutputs['dashboard']['money']> {
  const { currency, timezone, uninvoiced } = await readUninvoicedWork(scope);
  const { outstanding, ages, filters } = await readSummary(scope, {}, localDate(scope.now, timezone));
  const late = ages.filter(({ age }) => age !== 'current');
  return {
    currency,
    outstanding: { amount: outstanding.amount, invoices: outstanding.count },
    overdue: { amount: sumMoney(late.map(({ amount }) => amount)), invoices: filters.overdue },
    uninvoiced,
  };
}
