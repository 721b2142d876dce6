import type { Job, UpdateJobInput } from '@callout/contract/jobs';
import type { AssignableStaffMember } from '@callout/contract/staff';
import { getStatusAfterBooking } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { getTaxRate } from '@callout/domain/tax/tax';
import { getEffectiveHourlyRate } from '@callout/domain/timer/timer';
import { useQueryClient } from '@tanstack/react-query';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { applyUpdate, type RecordUpdate, useSaveRecord } from '../../lib/record-queries.ts';
import { useProfile } from '../company/company.api.ts';
import { findKnownCustomer } from '../customers/customers.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { type JobFormOutput, toJobInput } from './job-form.ts';
import { createJob, describeJob, getJobHref, getJobLane, jobKeys, jobQueries, NEW_JOB_NUMBER } from './jobs.api.ts';
import { withTotals } from './jobs-items.api.ts';
import { withStatus } from './jobs-status.api.ts';

interface JobUpdate extends RecordUpdate<UpdateJobInput, Job> {
  /** The rate that the changes lead to. */
  readonly hourlyRate: string;
}

/** Also invalidates invoices, because saving a job as paid records a payment. */
export const updateJob = defineCommand<'jobs.update', JobUpdate>({
  ...jobQueries.update,
  call: 'jobs.update',
  lane: ({ before }) => getJobLane(before.id),
  describe: ({ before }) => `Change ${describeJob(before)}`,
  href: ({ before }) => getJobHref(before),
  overlays: (update, { madeAt }) => [
    ...jobQueries.update.overlays(update),
    overlay<Job>(jobKeys.detail(update.before.id), (shown) => {
      const { timer } = withStatus(shown, shown.status, madeAt);
      return withTotals({ ...shown, timer: { ...timer, hourly_rate: update.hourlyRate } });
    }),
  ],
  invalidates: [jobKeys.all, ['invoices']],
  success: 'Job updated successfully',
  failure: 'Failed to update job: {message}',
});

type KnownCustomer = NonNullable<ReturnType<typeof findKnownCustomer>>;
type Company = Pick<NonNullable<ReturnType<typeof useProfile>>, 'default_hourly_rate' | 'gst_percentage' | 'currency'>;

interface SavedFields {
  readonly values: JobFormOutput;
  readonly input: ReturnType<typeof toJobInput>;
  /** The form's choices, as far as the page knows them. */
  readonly customer: KnownCustomer | undefined;
  readonly staff: AssignableStaffMember | undefined;
  readonly company: Company | null;
}

/** Returns the fields of a saved job that follow from the form, as the server will store them. */
function buildSavedFields({ values: { categories }, input, customer, staff, company }: SavedFields, before?: Job) {
  const { category_ids: _, use_alternate_address, customer_id = before?.customer_id ?? null, ...fields } = input;
  const isRebooked = fields.booking_date !== before?.booking_date;
  const address = use_alternate_address ? fields.address : (customer?.address ?? before?.customer?.address ?? before?.address ?? null);
  const hourlyRate = getEffectiveHourlyRate({
    staff: staff?.hourly_rate ?? null,
    job: fields.hourly_rate,
    company: company?.default_hourly_rate ?? null,
    isJobRateConfirmed: fields.hourly_rate_confirmed,
  });
  const stored = {
    ...fields,
    address,
    categories,
    customer_id,
    customer: customer ? toJobCustomer(customer) : (before?.customer ?? null),
    staff: staff ? toJobStaff(staff) : (before?.staff ?? null),
    status: isRebooked ? getStatusAfterBooking(fields.status) : fields.status,
  };
  return { stored, hourlyRate };
}

const toJobCustomer = ({ id, name, company_name, email, phone, address }: KnownCustomer) => ({
  id,
  name,
  company_name,
  email,
  phone,
  address,
});
const toJobStaff = ({ id, name, hex_code, avatar_url }: AssignableStaffMember) => ({ id, name, hex_code, avatar_url });

/** What a job has only later. */
const NOTHING_YET = { items: [], quote_id: null, quote_number: null };

function buildNewJob(id: string, saved: SavedFields): Job {
  const { stored, hourlyRate } = buildSavedFields(saved);
  const { company } = saved;
  const now = new Date().toISOString();
  const timer = {
    timer_status: null,
    finished_seconds: 0,
    running: [],
    allocated_seconds: 0,
    hourly_rate: hourlyRate,
    server_time: now,
  };
  const tax_rate = getTaxRate(company?.gst_percentage ?? null);
  return {
    ...NOTHING_YET,
    ...stored,
    id,
    job_number: NEW_JOB_NUMBER,
    timer,
    tax_rate,
    currency: company?.currency ?? null,
    totals: calculateJobTotals(stored, [], tax_rate),
    created_at: now,
    updated_at: now,
    version: 1,
  };
}

/** Returns a function that finds what the page knows of a form's choices. */
function useSavedFields() {
  const queryClient = useQueryClient();
  const company = useProfile();
  return (values: JobFormOutput, zone: string, before?: Job): SavedFields => {
    const input = toJobInput(values, zone, before);
    const customer = findKnownCustomer(queryClient, values.customer_id);
    const staff = queryClient.getQueryData(staffNamesQueryOptions.queryKey)?.find(({ id }) => id === input.staff_id);
    return { values, input, customer, staff, company };
  };
}

/** Returns a function that creates a job under an id that is created once per form, so that saving again doesn't add another one. */
export function useCreateJob() {
  const findFields = useSavedFields();
  const save = useSaveRecord(createJob, ({ record }) => record);
  return (id: string, values: JobFormOutput, zone: string): Promise<Job> => {
    const fields = findFields(values, zone);
    const { customer_id } = values;
    return save({ input: { ...fields.input, id, customer_id }, record: { ...buildNewJob(id, fields), customer_id } });
  };
}

/** Returns a function that saves a job based on the given version. */
export function useUpdateJob() {
  const findFields = useSavedFields();
  const save = useSaveRecord(updateJob, ({ before, changes }) => applyUpdate(before, changes));
  return (before: Job, version: number, values: JobFormOutput, zone: string): Promise<Job> => {
    const fields = findFields(values, zone, before);
    const { stored, hourlyRate } = buildSavedFields(fields, before);
    return save({ input: { ...fields.input, id: before.id, version }, before, changes: stored, hourlyRate });
  };
}
