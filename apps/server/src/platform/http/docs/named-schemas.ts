import * as admin from '@callout/contract/admin';
import * as auth from '@callout/contract/auth';
import * as board from '@callout/contract/board';
import * as calendar from '@callout/contract/calendar';
import * as categories from '@callout/contract/categories';
import * as comments from '@callout/contract/comments';
import * as company from '@callout/contract/company';
import * as customers from '@callout/contract/customers';
import * as dashboard from '@callout/contract/dashboard';
import * as errors from '@callout/contract/errors';
import * as fields from '@callout/contract/fields';
import * as invoices from '@callout/contract/invoices';
import * as items from '@callout/contract/items';
import * as jobs from '@callout/contract/jobs';
import * as lists from '@callout/contract/lists';
import * as notifications from '@callout/contract/notifications';
import * as paymentForm from '@callout/contract/payment-form';
import * as payments from '@callout/contract/payments';
import * as publicInvoices from '@callout/contract/public-invoices';
import * as publicQuotes from '@callout/contract/public-quotes';
import * as quoteInput from '@callout/contract/quote-input';
import * as quotes from '@callout/contract/quotes';
import * as staff from '@callout/contract/staff';
import * as suppliers from '@callout/contract/suppliers';
import * as tasks from '@callout/contract/tasks';
import * as timer from '@callout/contract/timer';
import { z } from 'zod';

const MODULES: readonly object[] = [
  admin,
  auth,
  board,
  calendar,
  categories,
  comments,
  company,
  customers,
  dashboard,
  errors,
  fields,
  invoices,
  items,
  jobs,
  lists,
  notifications,
  paymentForm,
  payments,
  publicInvoices,
  publicQuotes,
  quoteInput,
  quotes,
  staff,
  suppliers,
  tasks,
  timer,
];

/** The contract's schemas, keyed by export name, such as Customer, NewJob and Instant. */
export const namedSchemas: Readonly<Record<string, z.core.$ZodType>> = Object.fromEntries(
  MODULES.flatMap((module) => Object.entries(module)).filter(
    (entry): entry is [string, z.core.$ZodType] => entry[1] instanceof z.core.$ZodType && /^[A-Z]/.test(entry[0]),
  ),
);
