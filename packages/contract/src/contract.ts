import type { ContractRouterClient, InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { admin } from './admin.ts';
import { auth } from './auth.ts';
import { board } from './board.ts';
import { calendar } from './calendar.ts';
import { categories } from './categories.ts';
import { comments } from './comments.ts';
import { company } from './company.ts';
import { customers } from './customers.ts';
import { dashboard } from './dashboard.ts';
import { dayPack } from './day-pack.ts';
import { invoices } from './invoices.ts';
import { items } from './items.ts';
import { jobLines } from './job-lines.ts';
import { jobViews } from './job-views.ts';
import { jobs } from './jobs.ts';
import { notifications } from './notifications.ts';
import { payments } from './payments.ts';
import { publicInvoices } from './public-invoices.ts';
import { publicQuotes } from './public-quotes.ts';
import { quotes, sectionTemplates } from './quotes.ts';
import { staff } from './staff.ts';
import { suppliers } from './suppliers.ts';
import { tasks } from './tasks.ts';
import { timer } from './timer.ts';

export const contract = {
  auth,
  company,
  notifications,
  staff,
  categories,
  customers,
  suppliers,
  items,
  jobs: { ...jobs, ...jobLines },
  jobViews,
  timer,
  board,
  tasks,
  calendar: { ...calendar, ...dayPack },
  comments,
  quotes,
  sectionTemplates,
  publicQuotes,
  invoices,
  payments,
  publicInvoices,
  dashboard,
  admin,
};

export type Contract = typeof contract;
export type ContractClient = ContractRouterClient<Contract>;
export type ContractInputs = InferContractRouterInputs<Contract>;
export type ContractOutputs = InferContractRouterOutputs<Contract>;
