import { randomUUID } from 'node:crypto';
import type { NewJobView } from '@callout/contract/job-views';
import { DAY_MS } from '@callout/domain/time/time-units';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { scheduleJob } from '../features/calendar/schedule-event.ts';
import { categoryRecordType } from '../features/categories/categories.sql.ts';
import { createCompanyWithOwner, dismissStartCard, saveOnboarding } from '../features/company/company.sql.ts';
import { customerRecordType, toStoredCustomer } from '../features/customers/customers.sql.ts';
import { createJobView } from '../features/jobs/save-job-view.ts';
import { notifyPeople } from '../features/notifications/notifications.sql.ts';
import { saveMailedLink } from '../features/staff/invitations.sql.ts';
import { getInvitationExpiry } from '../features/staff/send-invitation.ts';
import { createStaffMember } from '../features/staff/staff.sql.ts';
import { itemRecordType, supplierRecordType, toStoredItem, toStoredSupplier } from '../features/suppliers/suppliers.sql.ts';
import { startTimer } from '../features/timer/start-timer.ts';
import { markEmailVerified } from '../platform/auth/account-changes.sql.ts';
import { createLinkToken } from '../platform/auth/password-links.sql.ts';
import { mintNewCompany } from '../platform/auth/session.sql.ts';
import type { Person } from '../platform/db/actor.ts';
import { createRecordOnce } from '../platform/db/records.ts';
import { runTenantTransaction, type Tenant, type TenantScope } from '../platform/db/tenant-scope.ts';
import type { Platform } from '../platform/http/platform.ts';
import {
  type DemoMember,
  findUserId,
  insertDemoMember,
  markInvitationDelivered,
  markOldNotificationsRead,
  saveBankDetails,
  saveCustomerActivity,
  saveOwnerDetails,
} from './demo.sql.ts';
import { type BillableJob, buildBillingEvents } from './demo-billing.ts';
import { addDemoComments } from './demo-comments.ts';
import { buildDemoCustomers } from './demo-customers.ts';
import { buildDemoJobs, type DemoJob } from './demo-jobs.ts';
import { addDemoLogo } from './demo-logo.ts';
import { addWorkdays, type Crew, type Worker } from './demo-plan.ts';
import { addDemoQuote, buildDemoQuotes, type QuotedJob } from './demo-quotes.ts';
import { buildDemoPriceLists, type DemoPriceList } from './demo-suppliers.ts';
import { addDemoTasks } from './demo-tasks.ts';

export const DEMO_PASSWORD = 'callout-demo';

/** One person for each role. The first person is the company's owner. */
export const DEMO_PEOPLE: readonly Omit<DemoMember, 'userId'>[] = [
  { name: 'Mia Tane', email: 'mia@demo.example', phone: '021 555 0001', role: 'admin', hourlyRate: '120.00' },
  { name: 'Josh Harper', email: 'josh@demo.example', phone: '021 555 0002', role: 'manager', hourlyRate: '105.00' },
  { name: 'Ngaire Bell', email: 'ngaire@demo.example', phone: '021 555 0003', role: 'accountant', hourlyRate: '90.00' },
  { name: 'Sam Leota', email: 'sam@demo.example', phone: '021 555 0004', role: 'staff', hourlyRate: '85.00' },
];

/** The person who sends invoices and records payments. */
const BILLER_EMAIL = 'ngaire@demo.example';

/** A staff member who hasn't accepted the invitation yet. */
const APPRENTICE = { name: 'Hemi Walker', email: 'hemi@demo.example', phone: '021 555 0005', role: 'staff', hourly_rate: '65.00' } as const;

const CATEGORIES = ['Bathrooms', 'Drains', 'Gas', 'Heating', 'Hot water', 'Maintenance'];

const MONTH_MS = 30.44 * DAY_MS;

/** Creates a realistic plumbing company with a year of history. Idempotent: does nothing if the company exists. */
export async function seedDemo(platform: Pick<Platform, 'config' | 'pools' | 'files' | 'log' | 'accounts' | 'now'>): Promise<void> {
  const { pools, accounts } = platform;
  const [owner, ...others] = DEMO_PEOPLE;
  if (!owner || (await findUserId(pools.system, owner.email))) return;
  const ids = new Map<string, string>();
  for (const person of DEMO_PEOPLE) {
    const userId = await accounts.signUp(person.email, DEMO_PASSWORD, '');
    if (!userId) throw new Error(`Cannot create the demo company: ${person.email} already has an account`);
    await markEmailVerified(pools.system, userId);
    ids.set(person.email, userId);
  }
  const withId = (person: Omit<DemoMember, 'userId'>): DemoMember => ({ ...person, userId: ids.get(person.email) ?? '' });
  const { tenant, founder, member } = mintNewCompany(toPerson(withId(owner)), '');
  const instantAgo = (months: number) => new Date(platform.now().getTime() - months * MONTH_MS).toISOString();
  const tenantAgo = (months: number): Tenant => ({ ...tenant, now: instantAgo(months) });

  const staffIds = new Map<string, string>();
  const categoryIds = new Map(CATEGORIES.map((name) => [name, randomUUID()]));
  const startCompany = async (scope: TenantScope) => {
    await createCompanyWithOwner(scope, { ...member, userId: founder.userId, email: owner.email });
    await saveOnboarding(scope, DEMO_COMPANY);
    await saveOwnerDetails(scope, withId(owner), '18 Rosebank Road, Avondale, Auckland');
    await saveBankDetails(scope, PAYMENT_DETAILS);
    for (const person of others) staffIds.set(person.email, await insertDemoMember(scope, withId(person)));
    for (const [name, id] of categoryIds) await createRecordOnce(scope, categoryRecordType, id, { name });
  };
  await runTenantTransaction(pools.app, tenantAgo(12.1), startCompany, 'none');
  for (const [index, { name, email }] of others.entries()) {
    const data = { staff_id: staffIds.get(email) ?? '' };
    await runTenantTransaction(pools.app, tenantAgo(0.2 - index / 20), (scope) =>
      notifyPeople(scope, [founder.userId], { message: `${name} accepted your invitation`, type: 'success', data }),
    );
  }
  await dismissStartCard(pools.system, founder.userId);
  await addDemoLogo(platform, tenantAgo(12));
  const apprenticeId = await runTenantTransaction(pools.app, tenantAgo(0.05), inviteApprentice);
  const customers = buildDemoCustomers(() => randomUUID());
  for (const [index, { customer, monthsAgo }] of customers.entries()) {
    const { id, ...fields } = customer;
    await runTenantTransaction(pools.app, tenantAgo(monthsAgo), async (scope) => {
      await createRecordOnce(scope, customerRecordType, id, toStoredCustomer(fields));
      await saveCustomerActivity(scope, id, {
        status: index % 11 === 5 ? 'inactive' : 'active',
        lastInteraction: index % 4 === 3 ? null : instantAgo(monthsAgo * ((index % 5) / 5)),
      });
    });
  }
  const priceLists = buildDemoPriceLists(() => randomUUID());
  await runTenantTransaction(pools.app, tenantAgo(12), (scope) => addPriceLists(scope, priceLists));
  const getWorker = (email: string): Worker => {
    const person = others.find((other) => other.email === email) ?? owner;
    const staffId = staffIds.get(person.email) ?? '';
    return { staffId, person: { ...toPerson(withId(person)), member: { companyId: tenant.companyId, staffId, role: person.role } } };
  };
  const [josh, sam] = [getWorker('josh@demo.example'), getWorker('sam@demo.example')];
  // The apprentice has no login yet, so Josh records his work.
  const crew: Crew = { josh, sam, hemi: { ...josh, staffId: apprenticeId }, mia: { person: founder, staffId: member.staffId } };
  const jobs = buildDemoJobs({
    zone: DEMO_COMPANY.timezone,
    now: platform.now(),
    customers: customers.map(({ customer }) => customer),
    crew,
    categoryIds,
    itemIds: new Map(priceLists.flatMap(({ items }) => items.map(({ sku, id }) => [sku, id] as const))),
  });
  await runTenantTransaction(pools.app, tenantAgo(0), async (scope) => {
    for (const { createdAt, insert } of jobs) await insert({ ...scope, now: createdAt });
  });
  const quotes = buildDemoQuotes({
    now: platform.now(),
    zone: DEMO_COMPANY.timezone,
    customerIds: customers.map(({ customer }) => customer.id),
    priceLists,
  });
  const quotedJobs: QuotedJob[] = [];
  for (const quote of quotes) {
    const job = await addDemoQuote(pools.app, { ...tenant, now: instantAgo(0) }, quote);
    if (job) quotedJobs.push(job);
  }
  await bookQuotedJobs(platform, tenant, quotedJobs, josh.staffId);
  const office = getWorker(BILLER_EMAIL).person;
  const events = buildBillingEvents({
    zone: DEMO_COMPANY.timezone,
    now: instantAgo(0),
    missingItemId: priceLists.flatMap(({ items }) => items).find(({ sku }) => sku === MISSING_SKU)?.id ?? '',
    bills: [...jobs.filter(({ status }) => status === 'invoiced' || status === 'paid').map(toBills), ...quotedJobs.map(toBills)].flat(),
    deposits: quotedJobs,
  });
  await runTenantTransaction(pools.app, { ...tenant, actor: office, now: instantAgo(0) }, async (scope) => {
    for (const { occursAt: now, run } of events) await run({ ...scope, now });
  });
  const idsByName = new Map([...staffIds, [owner.email, member.staffId] as const].map(([email, id]) => [email.replace(/@.*/, ''), id]));
  await addDemoTasks(pools.app, { ...tenant, now: instantAgo(0) }, DEMO_COMPANY.timezone, idsByName);
  await addDemoComments(platform, { ...tenant, now: instantAgo(0) }, jobs, founder);
  await runTenantTransaction(pools.app, tenantAgo(0), markOldNotificationsRead);
  await runTenantTransaction(pools.app, tenantAgo(0), (scope) => createJobView(scope, { id: randomUUID(), ...WAITING_VIEW }));
  await startRunningTimer(platform, tenant, jobs);
}

/** Returns an empty list for an unfinished job. Finished jobs from quotes are always paid. */
function toBills(job: DemoJob | QuotedJob): BillableJob[] {
  if (job.completedAt === null) return [];
  const [jobId, isPaid] = 'jobId' in job ? [job.jobId, true] : [job.id, job.status === 'paid'];
  return [{ jobId, completedAt: job.completedAt, isPaid }];
}

/** Books the unfinished jobs from accepted quotes for Josh. The newest job stays unscheduled. */
async function bookQuotedJobs(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  tenant: Tenant,
  quotedJobs: readonly QuotedJob[],
  staffId: string,
): Promise<void> {
  const today = toLocalDate(now().toISOString(), DEMO_COMPANY.timezone);
  const openJobs = quotedJobs
    .filter(({ completedAt }) => completedAt === null)
    .toSorted((a, b) => a.acceptedAt.localeCompare(b.acceptedAt));
  for (const [index, { jobId }] of openJobs.slice(0, -1).entries()) {
    const starts_at = toInstant(addWorkdays(today, FIRST_QUOTED_JOB_DAY + index * 2), '08:30', DEMO_COMPANY.timezone);
    const seen = { starts_at: null, duration: null, staff_id: null };
    await runTenantTransaction(pools.app, { ...tenant, now: now().toISOString() }, async (scope) => {
      await scheduleJob(scope, { id: jobId, starts_at, duration: '6', staff_id: staffId, seen });
    });
  }
}

/** Number of workdays from today. One workday stays free after each job from a quote. */
const FIRST_QUOTED_JOB_DAY = 5;

/** Starts a timer on the job in progress shortly after its booked start, or in the recent past if that start is still ahead. */
async function startRunningTimer({ pools, now }: Pick<Platform, 'pools' | 'now'>, tenant: Tenant, jobs: readonly DemoJob[]): Promise<void> {
  const job = jobs.find(({ isInProgress }) => isInProgress);
  if (!job) return;
  const usualStart = Date.parse(job.startsAt) + START_DELAY_MS;
  const started = new Date(usualStart < now().getTime() ? usualStart : now().getTime() - FALLBACK_TIMER_MS).toISOString();
  const input = { id: randomUUID(), job_id: job.id, pause_others: true };
  await runTenantTransaction(pools.app, { ...tenant, actor: job.worker.person, now: started }, (scope) => startTimer(scope, input));
}

const START_DELAY_MS = 4 * 60 * 1000;
const FALLBACK_TIMER_MS = 42 * 60 * 1000;

async function addPriceLists(scope: TenantScope, priceLists: readonly DemoPriceList[]): Promise<void> {
  for (const { supplier, items } of priceLists) {
    await createRecordOnce(scope, supplierRecordType, supplier.id, toStoredSupplier(supplier));
    for (const item of items) await createRecordOnce(scope, itemRecordType, item.id, toStoredItem(item));
  }
}

async function inviteApprentice(scope: TenantScope): Promise<string> {
  const id = randomUUID();
  await createStaffMember(scope, { id, ...APPRENTICE });
  await saveMailedLink(scope, id, { token_hash: createLinkToken().hash, expires_at: getInvitationExpiry(scope.now), mail_id: null });
  await markInvitationDelivered(scope, id);
  return id;
}

const DEMO_COMPANY = {
  company_name: 'Tane Plumbing & Gas',
  name: null,
  phone: '09 555 0000',
  gst_number: '123-456-789',
  gst_percentage: '15',
  paypal_email: 'pay@demo.example',
  currency: 'NZD' as const,
  timezone: 'Pacific/Auckland',
};

/** The owner's saved view. */
const WAITING_VIEW: Pick<NewJobView, 'name' | 'filter'> = {
  name: 'Waiting for parts',
  filter: { search: 'waiting for parts', group: 'active' },
};

const PAYMENT_DETAILS = {
  bank_name: 'Kauri Bank',
  bank_account_number: '01-0123-0456789-00',
  add_paypal_fees: true,
  paypal_fee_percentage: '2.9',
  payment_terms_days: '7',
};

/** SKU of the call-out fee, which some invoices are missing until they are corrected. */
const MISSING_SKU = 'SV-CALL';

function toPerson({ userId, email }: DemoMember): Person {
  return { kind: 'person', userId, email, emailVerified: true, sessionId: '', member: null };
}
