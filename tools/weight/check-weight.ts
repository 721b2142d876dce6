import { BUDGETS, isOverBudget, weightTable } from './budgets.ts';
import { measurePages } from './measure-pages.ts';

const weights = await measurePages(BUDGETS);
console.log(weightTable(weights));
if (weights.some(isOverBudget)) {
  console.error('\nOver budget: load less at first, or in fewer pieces (the budgets are in tools/weight/budgets.ts).');
  process.exitCode = 1;
}
