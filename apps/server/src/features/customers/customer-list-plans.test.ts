import { type CustomerSeed, insertCustomers } from '../../../test/factories/customer-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import { customerList } from './customers.sql.ts';

const buildCustomerSeed = (index: number): CustomerSeed => ({
  name: `Customer ${(index * 7919) % 5000}`,
  company_name: index % 3 === 0 ? `Company ${(index * 104_729) % 1000}` : null,
  status: index % 10 === 0 ? 'inactive' : 'active',
  created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  last_interaction: index % 2 === 0 ? new Date(Date.UTC(2026, 5, 1, 0, index)).toISOString() : null,
});

testListPlans({
  list: customerList,
  insertRows: (test, companyId) =>
    insertCustomers(test, companyId, [...Array.from({ length: 5000 }, (_, index) => buildCustomerSeed(index)), { name: 'Xylander' }]),
  rareFilters: [{ status: 'inactive' }],
  rareWord: 'xylander',
  commonPrefix: 'cust',
  commonWord: 'queen',
});
